import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectionRecord, readConnection } from '../../src/faces/cli/connect/connection-record.ts';
import { startTestServer } from '../setup/server.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.leave());

const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@t', ...args], {
    encoding: 'utf8',
  });

/** A repository with a path that shells and patterns trip over. */
async function repository(name: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = join(place.home, '..', name);
  await mkdir(root, { recursive: true });
  git(root, 'init', '-q');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return realpath(root);
}

/** Every file with its bytes and every folder, outside git's own objects and Baton's data. */
async function everything(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (/[/\\]\.baton([/\\]|$)/.test(path.slice(root.length)) && root === place.home) continue;
    if (/[/\\]\.git[/\\](?!info)/.test(path)) continue;
    found[path] = entry.isFile() ? (await readFile(path)).toString('base64') : 'folder';
  }
  return found;
}

async function ran(root: string, ...args: string[]) {
  const { code, stdout, stderr } = await place.batonIn(root, args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const dataDir = () => join(place.home, '.baton');
const recordOf = async (name: string) => (await readConnection(dataDir(), name)) as ConnectionRecord;

/** The entry that Codex has for all folders. */
async function codexEntry() {
  const text = (await place.read(join(place.home, '.codex', 'config.toml')))!;
  const value = (key: string) => JSON.parse(new RegExp(`^${key} = (.*)$`, 'm').exec(text)![1]!);
  return { command: value('command') as string, args: value('args') as string[] };
}

async function orientationIn(folder: string, project: string): Promise<string> {
  const client = await place.startServer(await codexEntry(), folder);
  try {
    if ((await client.listTools()).tools.length === 0) return `nothing: ${client.getInstructions()}`;
    const { contents } = await client.readResource({ uri: `agp://project/${project}` });
    return (contents[0] as { text: string }).text;
  } catch (error) {
    return `refused: ${error}`;
  } finally {
    await client.close();
  }
}

describe('baton init in a repository', () => {
  it('sets everything up, changes nothing the second time, and is undone to the byte', async () => {
    const root = await repository(`it's "Läden"`, {
      '.claude/settings.local.json':
        '\uFEFF{\r\n  // mine\r\n  "permissions": { "allow": ["Bash(ls)"] },\r\n}\r\n',
      '.mcp.json': '{"mcpServers":{"files":{"command":"npx","args":[]}}}',
      '.git/info/exclude': '*.log',
    });
    await place.write(join(place.home, '.codex', 'config.toml'), '# mine\nmodel = "o5"');
    await place.write(join(place.home, '.gemini', 'settings.json'), '{ "theme": "Dark" }\n');
    await mkdir(join(place.home, '.claude'));
    const before = { ...(await everything(root)), ...(await everything(place.home)) };

    const first = JSON.parse(await ran(root, 'init', '--yes', '--json'));
    expect(first).toMatchObject({
      project: 'it-s-laden',
      created: true,
      rules: { mode: 'log_only' },
      failed: [],
    });
    expect(first.clients.map(({ connection }: { connection: string }) => connection)).toEqual([
      'claude-code@it-s-laden',
      'codex@it-s-laden',
      'gemini@it-s-laden',
    ]);
    const settings = await place.read(join(root, '.claude', 'settings.local.json'));
    expect(settings).toContain('// mine\r\n');
    expect(settings).toContain('"PreToolUse"');
    expect(
      git(root, 'status', '--short', '--untracked-files=all').replace(/^\?\? "?\.baton\/.*\n/gm, ''),
    ).toBe('');

    const again = JSON.parse(await ran(root, 'init', '--yes', '--json'));
    expect(again).toMatchObject({ created: false, made: [] });
    for (const { written } of again.clients) expect(written).toEqual([]);

    await ran(join(root, '.claude'), 'disconnect');
    expect({ ...(await everything(root)), ...(await everything(place.home)) }).toEqual(before);
  });

  it('keeps two repositories of one name apart, also in the files that they share', async () => {
    const one = await repository('one/shop');
    const two = await repository('two/shop');
    const before = await everything(place.home);
    const told = await Promise.all(
      [one, two].map((root) => ran(root, 'init', '--yes', '--clients', 'codex')),
    );
    expect(told.filter((text) => text.includes('`baton init --project shop`'))).toHaveLength(1);
    const projects = await Promise.all(
      [one, two].map(
        async (root) => JSON.parse((await place.read(join(root, '.baton', 'project.json')))!).project,
      ),
    );
    expect([...projects].sort()).toEqual(['shop', 'shop-2']);
    for (const [at, root] of [one, two].entries()) {
      expect((await recordOf(`codex@${projects[at]}`)).repositories).toEqual([root]);
      expect(await orientationIn(root, projects[at]!)).toContain(projects[at]);
      expect(await orientationIn(root, projects[1 - at]!)).toMatch(/^refused/);
    }
    expect(await orientationIn(place.project, 'shop')).toMatch(/^nothing: This folder belongs to no project/);
    await ran(one, 'disconnect', 'codex');
    expect(await orientationIn(one, projects[0]!)).toMatch(/^nothing/);
    expect(await orientationIn(two, projects[1]!)).toContain(projects[1]);
    await ran(two, 'disconnect', 'codex');
    expect(await everything(place.home)).toEqual(before);
  });

  it('binds nothing that a cloned repository says of itself', async () => {
    const own = await repository('own');
    await ran(own, 'connect', 'codex');
    const hostile = await repository('hostile', { '.baton/project.json': '{"project":"own"}' });
    expect(await orientationIn(hostile, 'own')).toMatch(
      /^nothing: This folder names the project own, but nobody/,
    );
    const refused = await place.batonIn(hostile, ['init', '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('project_taken') });
    expect((await recordOf('codex@own')).repositories).toEqual([own]);

    await symlink(join(place.home, '.gemini', 'settings.json'), join(hostile, '.mcp.json'));
    await writeFile(join(hostile, '.baton', 'project.json'), '{"project":"hostile"}');
    const linked = await place.batonIn(hostile, ['connect', 'claude-code']);
    expect(linked).toMatchObject({ code: 2, stderr: expect.stringContaining('leads out of the repository') });
    expect(await place.read(join(place.home, '.gemini', 'settings.json'))).toBe('{ "theme": "Dark" }\n');
    await ran(own, 'disconnect', 'codex', '--all');
  });

  it('leaves files alone that others get too, unless it is for the team', async () => {
    const root = await repository('team', { '.mcp.json': '{}\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'first');
    await ran(root, 'connect', 'claude-code');
    expect(git(root, 'status', '--short').trim()).toBe('?? .baton/');
    expect(await place.read(join(place.home, '.claude.json'))).toContain('"--client"');
    const team = await place.batonIn(root, ['connect', 'claude-code', '--team']);
    expect(team).toMatchObject({ code: 0, stderr: expect.stringContaining('not on your PATH') });
    expect(await place.read(join(root, '.mcp.json'))).toContain('"command": "baton"');
    expect(await place.read(join(root, '.claude', 'settings.json'))).toContain('command -v baton');
    expect(await place.read(join(root, '.claude', 'settings.local.json'))).toBeUndefined();
    await ran(root, 'disconnect', 'claude-code');
    expect(git(root, 'status', '--short').trim()).toBe('');
    expect(await place.read(join(place.home, '.claude.json'))).toBeUndefined();
  });

  it('keeps what the person chose', async () => {
    const root = await repository('choices');
    await ran(root, 'connect', 'codex', '--no-prompts');
    await ran(root, 'hooks', 'off');
    await ran(root, 'init', '--yes', '--clients', 'codex');
    expect(await recordOf('codex@choices')).toMatchObject({
      hooks: { enabled: true, prompts: false },
      offIn: [root],
      atlas: { id: 'repo.choices', version: '1.0.0' },
    });
    await ran(root, 'hooks', 'on', '--prompts');
    expect(await recordOf('codex@choices')).toMatchObject({ hooks: { prompts: true }, offIn: [] });
  });

  it('is checked down to a real event, and mended', async () => {
    const root = await repository('choices');
    await place.remove(join(place.home, '.codex', 'hooks.json'));
    const broken = await place.batonIn(root, ['doctor', '--json']);
    expect(broken.code).toBe(1);
    const mended = await place.batonIn(root, ['doctor', '--fix', '--json']);
    expect(mended.code).toBe(0);
    const { checks, fixed } = JSON.parse(mended.stdout);
    expect(fixed).toEqual([expect.stringContaining('hooks.json')]);
    const stateOf = (name: string) => checks.find((check: { name: string }) => check.name === name)?.state;
    for (const name of ['store', 'project', 'rules', 'key', 'files', 'tools', 'event']) {
      const full = ['store', 'project', 'rules'].includes(name) ? name : `codex: ${name}`;
      expect([full, stateOf(full)]).toEqual([full, name === 'store' ? 'warn' : 'ok']);
    }
    const sessions = JSON.parse(await ran(root, 'session', 'list', 'choices', '--json'));
    expect(sessions.filter(({ ended_at }: { ended_at: string | null }) => ended_at === null)).toEqual([]);
  });

  it('enforces the rules when told to, strictly on request, and only those that a person has seen', async () => {
    const root = await repository('choices');
    await ran(root, 'connect', 'cursor');
    await ran(root, 'guard', 'on', '--yes', '--strict');
    expect(await recordOf('codex@choices')).toMatchObject({
      atlas: { mode: 'enforce' },
      hooks: { strict: true },
    });
    expect(await place.read(join(root, '.cursor', 'hooks.json'))).toContain('"failClosed": true');
    const manifest = join(root, '.baton', 'atlas', 'atlas.json');
    const text = (await place.read(manifest))!;
    await writeFile(manifest, text.replace('What coding agents may do', 'Anything that they like'));
    const unseen = await place.batonIn(root, ['guard', 'off']);
    expect(unseen).toMatchObject({ code: 2, stderr: expect.stringContaining('is not what is loaded') });
    const same = await place.batonIn(root, ['guard', 'update', '--yes']);
    expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('Raise `version`') });
    await writeFile(manifest, text.replace('"1.0.0"', '"1.0.1"'));
    expect(await ran(root, 'guard', 'update', '--yes')).toContain('Loaded repo.choices 1.0.1, enforced');
    await ran(root, 'guard', 'off');
    expect(await place.read(join(root, '.cursor', 'hooks.json'))).not.toContain('failClosed');
  });

  it.each([['init', '--yes'], ['connect', 'codex'], ['disconnect'], ['hooks', 'off'], ['guard', 'off']])(
    'is a person’s to do: baton %s %s refuses in an agent’s session',
    async (...args) => {
      const root = await repository('choices');
      const { code, stderr } = await place.batonIn(root, args, { CLAUDECODE: '1' });
      expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('agent_session') });
    },
  );

  it('names the client whose file it cannot edit, makes no key for it, and connects the others', async () => {
    const root = await repository('broken', { '.cursor/mcp.json': '{ "mcpServers": ' });
    const done = JSON.parse(await ran(root, 'init', '--yes', '--json', '--clients', 'cursor', 'codex'));
    expect(done.failed).toEqual([{ client: 'cursor', reason: expect.stringContaining('not JSON') }]);
    expect(done.clients).toHaveLength(1);
    const { keys } = JSON.parse(await ran(root, 'keys', 'list', '--json'));
    const labels = keys.map(({ label }: { label: string }) => label);
    expect(labels).toContain('connection codex@broken');
    expect(labels).not.toContain('connection cursor@broken');
  });

  it('connects to a team’s server with a key that no client’s file holds', async () => {
    const server = await startTestServer();
    try {
      const root = await repository('remote');
      const owner = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken };
      await place.batonIn(root, ['projects', 'create', 'team-shop'], owner);
      const made = await place.batonIn(
        root,
        [
          'keys',
          'create',
          'my-codex',
          '--actor-type',
          'agent',
          '--projects',
          'team-shop',
          '--default-project',
          'team-shop',
          '--json',
        ],
        owner,
      );
      const { token } = JSON.parse(made.stdout);
      const wrong = await place.batonIn(root, ['connect', 'codex', '--url', server.url], {
        BATON_TOKEN: server.ownerToken,
      });
      expect(wrong.stderr).toContain('not an agent');
      const connected = await place.batonIn(root, ['connect', 'codex', '--url', server.url], {
        BATON_TOKEN: token,
      });
      expect(connected).toMatchObject({ code: 0, stderr: '' });
      expect(connected.stdout).toContain('project team-shop as agent my-codex');
      expect(await place.read(join(place.home, '.codex', 'config.toml'))).not.toContain(token);
      expect(await orientationIn(root, 'team-shop')).toContain('team-shop');
    } finally {
      await server.close();
    }
  });
});

describe('the memory of the person', () => {
  it('is made once in each project, for agents to propose to and to read by consent', async () => {
    const root = await repository('remembering');
    const first = JSON.parse(await ran(root, 'init', '--yes', '--json'));
    expect(first.profile).toMatch(/^did:a2p:user:local:.+\.remembering$/);
    expect(JSON.parse(await ran(root, 'init', '--yes', '--json')).profile).toBe(first.profile);
    const other = JSON.parse(await ran(await repository('elsewhere'), 'init', '--yes', '--json'));
    expect(other.profile).not.toBe(first.profile);
  });
});
