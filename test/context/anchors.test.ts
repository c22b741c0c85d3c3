import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, type World, worldOf } from './world.ts';

const BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

let server: TestServer;
let world: World;
let folder: string;
let projects = 0;

beforeAll(async () => {
  server = await startTestServer();
  world = worldOf(server);
  folder = await mkdtemp(join(tmpdir(), 'baton-anchors-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function aProject(): Promise<string> {
  projects += 1;
  await world.send('POST', '/v1/projects', { project_id: `anchored${projects}` });
  return `anchored${projects}`;
}

function depositing(project: string, id: string, anchors: unknown) {
  return world.send('POST', `/v1/projects/${project}/packages`, {
    ...aPackage(id, { project_id: project, 'x-anchors': anchors }),
    created_at: new Date().toISOString(),
  });
}

describe('an anchor', () => {
  it('is kept to the byte, and listed by orient with whose it is', async () => {
    const project = await aProject();
    const anchor = { path: 'src/pay.ts', blob: BLOB, repo: null, 'x-line': 12 };
    const made = await depositing(project, 'pkg', [anchor]);
    expect(made.status).toBe(201);
    expect(made.json['x-anchors']).toEqual([anchor]);
    await world.send('POST', `/v1/projects/${project}/facts`, {
      subject: 'retries',
      predicate: 'count',
      value: '3',
      'x-anchors': [{ path: 'a b/ü.ts', blob: BLOB.padEnd(64, '0') }],
    });
    const { json } = await world.send('GET', `/v1/projects/${project}/orient`);
    const expected = [
      { ...anchor, kind: 'package', id: 'pkg', about: 'Package pkg', by: { id: 'ada', type: 'agent' } },
      { path: 'a b/ü.ts', kind: 'fact', about: 'retries count', by: { id: 'owner', type: 'human' } },
    ];
    expect(json['x-anchors']).toMatchObject(expected);
    const listed = await world.send('GET', `/v1/projects/${project}/anchors`);
    expect(listed.json.anchors).toMatchObject(expected);
    const stranger = { token: await world.token('stranger', 'agent', [await aProject()]) };
    const hidden = await world.send('GET', `/v1/projects/${project}/anchors`, undefined, stranger);
    expect([hidden.status, hidden.json.error.code]).toEqual([404, 'project_not_found']);
  });

  it.each([
    ['/x-anchors', 'src/pay.ts'],
    ['/x-anchors/0/blob', [{ path: 'a' }]],
    ['/x-anchors/0/blob', [{ path: 'a', blob: 'abc' }]],
    ['/x-anchors/0/path', [{ path: '', blob: BLOB }]],
    ['/x-anchors/0/path', [{ path: '/etc/passwd', blob: BLOB }]],
    [
      '/x-anchors/1/path',
      [
        { path: 'a', blob: BLOB },
        { path: 'a/../../b', blob: BLOB },
      ],
    ],
    ['/x-anchors/0/path', [{ path: 'a\\b', blob: BLOB }]],
    ['/x-anchors/0/repo', [{ path: 'a', blob: BLOB, repo: 7 }]],
  ])('is refused at %s of a package and of a fact: %j', async (pointer, anchors) => {
    const project = await aProject();
    const refused = await depositing(project, 'bad', anchors);
    expect([refused.status, refused.json.error.code, refused.json.error.pointer]).toEqual([
      400,
      'invalid_schema',
      pointer,
    ]);
    const fact = await world.send('POST', `/v1/projects/${project}/facts`, {
      subject: 's',
      predicate: 'p',
      value: 'v',
      'x-anchors': anchors,
    });
    expect([fact.status, fact.json.error.pointer]).toEqual([400, pointer]);
  });

  it('of a fact that is asserted again is news only where it differs', async () => {
    const project = await aProject();
    const state = async (blob: string | undefined) => {
      const { status } = await world.send('POST', '/v1/facts', {
        project,
        subject: 's',
        predicate: 'p',
        value: 'v',
        ...(blob !== undefined && { 'x-anchors': [{ path: 'a', blob }] }),
      });
      return status;
    };
    expect(await state(BLOB)).toBe(201);
    expect(await state(BLOB)).toBe(200);
    expect(await state(undefined)).toBe(200);
    expect(await state(BLOB.replace('e', 'f'))).toBe(201);
  });
});

describe('in a repository', () => {
  let repository: string;
  const baton = (cwd: string, ...args: string[]) =>
    runBaton(args, { cwd, env: { BATON_DATA: server.dataDir } });

  async function aRepository(name: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(join(path, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q', path]);
    return path;
  }

  it('orient says what changed since it was described, before everything else', async () => {
    const project = await aProject();
    repository = await aRepository('shop');
    await writeFile(join(repository, 'src/pay.ts'), 'retry(3)\n');
    await writeFile(join(repository, 'src/old.ts'), 'old\n');
    await writeFile(join(repository, 'keep.md'), 'kept\n');
    const inside = join(repository, 'src');
    const made = await baton(
      inside,
      ...['deposit', '--project', project, '--title', 'Cards ## are\nretried', '--json'],
      ...['--anchors', 'pay.ts', 'old.ts', '../keep.md'],
    );
    expect([made.stderr, made.code]).toEqual(['', 0]);
    const anchors = JSON.parse(made.stdout)['x-anchors'] as { path: string; blob: string }[];
    expect(anchors.map(({ path }) => path)).toEqual(['src/pay.ts', 'src/old.ts', 'keep.md']);
    const told = await baton(repository, 'anchors', 'of', 'keep.md');
    expect(JSON.parse(told.stdout)).toEqual([anchors[2]]);
    const fact = ['facts', 'assert', 'retries', 'count', '3', '--project', project];
    expect((await baton(repository, ...fact, '--x-anchors', told.stdout)).code).toBe(0);

    expect((await baton(repository, 'anchors', 'check', '--project', project)).stdout).toBe(
      'Described files that are unchanged: 4.\n',
    );
    expect((await baton(inside, 'orient', '--project', project)).stdout).not.toContain('Look again');

    await writeFile(join(repository, 'src/pay.ts'), 'retry(5)\n');
    await rm(join(repository, 'src/old.ts'));
    const oriented = (await baton(inside, 'orient', '--project', project)).stdout;
    expect(oriented).toContain('1 thing you are about to rely on describes files that changed since.');
    expect(oriented).toContain('"src/pay.ts" changed, "src/old.ts" is gone\n');
    expect(oriented).not.toContain('keep.md');
    expect(oriented.indexOf('## Look again')).toBeLessThan(oriented.indexOf('## True now'));
    await writeFile(join(repository, 'keep.md'), 'rewritten\n');
    expect((await baton(inside, 'orient', '--project', project)).stdout).toContain(
      '2 things you are about to rely on describe files that changed since.',
    );
    expect((await baton(repository, 'anchors', 'check', '--project', project, '--strict')).code).toBe(6);
    const states = await baton(repository, 'anchors', 'check', '--project', project, '--json');
    expect(JSON.parse(states.stdout).map((one: { state: string }) => one.state)).toEqual([
      'changed',
      'gone',
      'changed',
      'changed',
    ]);

    const elsewhere = await aRepository('another');
    for (const place of [elsewhere, folder]) {
      expect((await baton(place, 'orient', '--project', project)).stdout).not.toContain('Look again');
      const quiet = await baton(place, 'anchors', 'check', '--project', project, '--strict');
      expect([quiet.code, quiet.stdout]).toEqual([0, expect.stringContaining('None of the described files')]);
    }
  });

  it('an anchor that names a repository is looked at only there', async () => {
    const project = await aProject();
    const named = await aRepository('named');
    await writeFile(join(named, 'a.ts'), 'a\n');
    const repo = 'https://example.org/shop.git';
    await depositing(project, 'here', [{ path: 'a.ts', blob: BLOB, repo }]);
    await depositing(project, 'there', [{ path: 'a.ts', blob: BLOB, repo: 'https://example.org/else.git' }]);
    execFileSync('git', ['-C', named, 'remote', 'add', 'origin', repo]);
    const checked = await baton(named, 'anchors', 'check', '--project', project, '--json');
    const states = (JSON.parse(checked.stdout) as { id: string; state: string }[]).map(({ id, state }) => [
      id,
      state,
    ]);
    expect(Object.fromEntries(states)).toEqual({ here: 'changed', there: 'elsewhere' });
  });

  it('refuses to anchor what is no file of it', async () => {
    for (const path of ['missing.ts', '../outside.ts', 'src']) {
      const refused = await baton(repository, 'deposit', '--title', 't', '--anchors', path);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is no file of')]);
    }
    expect((await baton(folder, 'anchors', 'of', 'shop/keep.md')).stderr).toContain('no_repository');
  });

  it('an agent that orients over MCP is told the same', async () => {
    const project = await aProject();
    const path = await aRepository('mcp');
    await writeFile(join(path, 'a.ts'), 'as it is now\n');
    await depositing(project, 'pkg', [{ path: 'a.ts', blob: BLOB }]);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [await batonBinary(), 'mcp'],
        env: { PATH: process.env.PATH ?? '', BATON_DATA: server.dataDir },
        cwd: path,
      }),
    );
    const oriented = await client.callTool({ name: 'context', arguments: { action: 'orient', project } });
    expect(JSON.stringify(oriented.content)).toContain('## Look again');
    const { contents } = await client.readResource({ uri: `agp://project/${project}` });
    expect(JSON.stringify(contents)).toContain('changed');
    await client.close();
  });
});
