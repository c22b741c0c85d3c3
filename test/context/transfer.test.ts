import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeHasher } from '../../src/platform/index.ts';
import { describeOnPostgres } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, type World, worldOf } from './world.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-transfer-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const cli = (server: TestServer, ...args: string[]) =>
  runBaton(args, {
    env: { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: server.dataDir },
  });

async function fill({ send, token }: World): Promise<void> {
  const put = (body: unknown) => send('POST', '/v1/projects/p/packages', body);
  await send('POST', '/v1/projects', { project_id: 'p', name: 'Ünïque', 'x-owner': { a: [1] } });
  await put(
    JSON.stringify(aPackage('a', { 'x-n': 1, unknown: { b: null } }), null, 2).replace(
      '"x-n": 1',
      '"x-n": 1.50',
    ),
  );
  const person = await token('petra', 'human');
  const review = (id: string, note: string) =>
    send('POST', `/v1/packages/${id}/review`, { verdict: 'request_changes', note }, { token: person });
  await put(aPackage('b', { status: 'awaiting_review', review_type: 'human', parent_package_id: 'a' }));
  await review('b', 'why?');
  await send('POST', '/v1/packages/b/flag', { review_type: 'agent' });
  await put(aPackage('c', { parent_package_id: 'b' }));
  await put(
    aPackage('d', { description: 'to be forgotten', status: 'awaiting_review', review_type: 'human' }),
  );
  await review('d', 'forget it');
  await send('POST', '/v1/packages/d/redact', { reason: 'secret' });
  const fact = (value: string) =>
    send('POST', '/v1/projects/p/facts', { subject: 's', predicate: 'is', value, 'x-f': 1.5 });
  for (const value of ['1', '2', '3']) await fact(value);
  await send('DELETE', '/v1/projects/p/facts?subject=s&predicate=is');
  await fact('4');
  const agent = await token('coral', 'agent');
  const started = await send('POST', '/v1/projects/p/sessions', {}, { token: agent });
  await send(
    'POST',
    '/v1/packages',
    { title: 'In session', project: 'p', session_id: started.json.session_id },
    { token: agent },
  );
  await send('PATCH', `/v1/sessions/${started.json.session_id}`, {}, { token: agent });
  const bytes = 'deliverable';
  await send('PUT', `/v1/projects/p/blobs/sha256:${nodeHasher.hex(bytes)}`, bytes, {});
}

async function contents(path: string): Promise<Record<string, string>> {
  const files = (await readdir(path)).filter((name) => name.endsWith('.ndjson')).sort();
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(path, name), 'utf8')])),
  );
}

describeOnPostgres('an export', (open) => {
  let sqlite: TestServer;
  let postgres: TestServer;
  beforeAll(async () => {
    sqlite = await startTestServer();
    postgres = await startTestServer({ databaseUrl: open.urlOf(await open([])) });
    await fill(worldOf(sqlite));
  });
  afterAll(async () => {
    await Promise.all([sqlite?.close(), postgres?.close()]);
  });

  it('goes into the other engine and out again, byte for byte the same', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const out = await cli(sqlite, 'export', one, '--project', 'p', '--json');
    expect([out.code, out.stderr]).toEqual([0, '']);
    expect(JSON.parse(out.stdout).files['packages.ndjson'].lines).toBe(4);
    const into = await cli(postgres, 'import', one, '--json');
    expect([into.stderr, into.code]).toEqual(['', 0]);
    expect(JSON.parse(into.stdout)).toMatchObject({
      projects: 1,
      sessions: 1,
      packages: 5,
      reviews: 2,
      facts: 4,
      blobs: 1,
    });
    await cli(postgres, 'export', two, '--project', 'p');
    expect(await contents(two)).toEqual(await contents(one));
    const again = JSON.parse((await cli(postgres, 'import', one, '--json')).stdout);
    expect(again).toMatchObject({ packages: 0, facts: 0, reviews: 0 });
    const found = await worldOf(postgres).send('GET', '/v1/projects/p/packages?mode=relevant&query=session');
    expect(found.json[0].title).toBe('In session');
    const waiting = await worldOf(postgres).send('GET', '/v1/inbox?kind=package_review');
    expect(waiting.json.items).toMatchObject([{ subject: { id: 'b' } }]);
    expect((await worldOf(postgres).send('GET', '/v1/projects/p/integrity')).json.mismatches).toEqual([]);
  });

  it('is refused in whole where one line does not match its hash', async () => {
    const bad = join(folder, 'bad');
    await cli(sqlite, 'export', bad, '--project', 'p');
    const path = join(bad, 'packages.ndjson');
    const lines = (await readFile(path, 'utf8')).replaceAll('"project_id":"p"', '"project_id":"q"');
    await writeFile(path, lines.replace('Package c', 'Package C'));
    const damaged = await cli(postgres, 'import', bad);
    expect([damaged.code, damaged.stderr]).toEqual([6, expect.stringContaining('export_damaged')]);
    await rm(join(bad, 'manifest.json'));
    const project = (await readFile(join(bad, 'projects.ndjson'), 'utf8')).replace('"p"', '"q"');
    await writeFile(join(bad, 'projects.ndjson'), project);
    const refused = await cli(postgres, 'import', bad);
    expect(refused.stderr).toContain('invalid_import');
    expect((await worldOf(postgres).send('GET', '/v1/projects/q')).status).toBe(404);
  });
});

describe('what other tools have kept', () => {
  let server: TestServer;
  let world: World;
  beforeAll(async () => {
    server = await startTestServer();
    world = worldOf(server);
  });
  afterAll(async () => {
    await server.close();
  });

  const bring = async (from: string, path: string, project: string) => {
    const ran = await cli(server, 'import', path, '--from', from, '--project', project, '--json');
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout);
  };

  it('takes a Relay backup: statuses, names and significance mapped, the original kept', async () => {
    const path = join(folder, 'relay');
    await mkdir(path);
    const rows = [
      {
        id: 'r1',
        title: 'Old work',
        status: 'pending_review',
        significance: 0,
        package_type: 'lattice_x',
        created_at: '2026-01-01T00:00:00+02:00',
        created_by_id: 'jo',
        created_by_type: 'human',
        decisions_made: ['Yes'],
      },
      { id: 'r2', title: 'Done', status: 'approved', created_at: '2026-01-02T00:00:00Z' },
    ];
    await writeFile(join(path, 'packages.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const facts = [
      {
        id: 'f1',
        subject: 's',
        relation: 'is',
        object: 'a',
        created_at: '2026-01-01T00:00:00Z',
        ended_at: '2026-01-02T00:00:00Z',
      },
      {
        id: 'f2',
        subject: 's',
        relation: 'is',
        object: 'b',
        created_at: '2026-01-02T00:00:00Z',
        ended_at: null,
      },
    ];
    await writeFile(join(path, 'facts.ndjson'), facts.map((row) => JSON.stringify(row)).join('\n'));
    await writeFile(
      join(path, 'sessions.ndjson'),
      JSON.stringify({
        id: 'sess_1',
        callsign: 'coral-heron',
        started_at: '2026-01-01T00:00:00Z',
        actor_id: 'jo',
        actor_type: 'human',
      }),
    );
    expect(await bring('relay', path, 'relay')).toMatchObject({ packages: 2, facts: 2, sessions: 1 });
    const r1 = (await world.send('GET', '/v1/packages/r1')).json;
    expect(r1).toMatchObject({
      status: 'awaiting_review',
      review_type: 'human',
      significance: 1,
      package_type: 'x-lattice_x',
      created_by: { id: 'jo' },
    });
    expect(r1['x-relay']).toEqual(rows[0]);
    expect((await world.send('GET', '/v1/packages/r2')).json.status).toBe('complete');
    const history = (await world.send('GET', '/v1/projects/relay/facts?history=1')).json;
    expect(
      history.map((fact: { value: string; valid_to: string | null }) => [fact.value, fact.valid_to]),
    ).toEqual([
      ['b', null],
      ['a', '2026-01-02T00:00:00.000Z'],
    ]);
    expect((await world.send('GET', '/v1/projects/relay/sessions?callsign=coral-heron')).json).toHaveLength(
      1,
    );
  });

  it('says in a sentence what is wrong with a path: nothing there, no JSON, nothing to import', async () => {
    const broken = join(folder, 'broken.jsonl');
    const empty = join(folder, 'empty');
    await writeFile(broken, '{"id":"bd-1"}\nnot json\n');
    await mkdir(empty);
    const ran = await Promise.all([
      cli(server, 'import', join(folder, 'nothing'), '--from', 'beads'),
      cli(server, 'import', broken, '--from', 'beads'),
      cli(server, 'import', empty, '--from', 'relay'),
      cli(server, 'import', empty),
    ]);
    expect(ran.map(({ code }) => code)).not.toContain(0);
    const said = ran.map(({ stderr }) => stderr);
    expect(said).toEqual([
      expect.stringContaining(' does not exist.'),
      expect.stringContaining('Line 2 of '),
      expect.stringContaining('nothing to import'),
      expect.stringContaining('--from'),
    ]);
    expect(said.join('')).not.toContain('    at ');
  });

  it("takes MCP server-memory's graph, Beads' issues and a folder of notes, twice without doubling", async () => {
    const memory = join(folder, 'memory.jsonl');
    await writeFile(
      memory,
      [
        { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea', 'writes code'] },
        { type: 'relation', from: 'Ada', to: 'Baton', relationType: 'works on' },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    expect(await bring('server-memory', memory, 'graph')).toMatchObject({ packages: 1, facts: 2 });
    expect(await bring('server-memory', memory, 'graph')).toMatchObject({ packages: 0, facts: 0 });
    expect((await world.send('GET', '/v1/search?project=graph&query=who+likes+tea')).json.hits[0].title).toBe(
      'Ada',
    );

    const issues = join(folder, 'issues.jsonl');
    await writeFile(
      issues,
      [
        { id: 'bd-1', title: 'Epic', status: 'open', priority: 0, created_at: '2026-01-01T00:00:00Z' },
        {
          id: 'bd-2',
          title: 'Part',
          status: 'closed',
          close_reason: 'Fixed',
          created_at: '2026-01-02T00:00:00Z',
          dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'parent-child' }],
        },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    expect(await bring('beads', issues, 'beads')).toMatchObject({ packages: 2, facts: 2 });
    expect((await world.send('GET', '/v1/packages/beads:bd-2')).json).toMatchObject({
      parent_package_id: 'beads:bd-1',
      decisions_made: ['Fixed'],
    });

    const notes = join(folder, 'notes', 'deep');
    await mkdir(notes, { recursive: true });
    await writeFile(join(notes, 'one.md'), '---\ntitle: Named\n---\n# Heading\nBody');
    await writeFile(join(notes, 'two.md'), '# Heading\nBody');
    expect(await bring('markdown', join(folder, 'notes'), 'notes')).toMatchObject({ packages: 2 });
    expect(await bring('markdown', join(folder, 'notes'), 'notes')).toMatchObject({
      packages: 0,
      unchanged: expect.any(Number),
    });
    const titles = (await world.send('GET', '/v1/projects/notes/packages')).json.map(
      (one: { title: string }) => one.title,
    );
    expect(titles.sort()).toEqual(['Heading', 'Named']);
  });
});
