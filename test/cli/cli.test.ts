import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-cli-'));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

describe('the command line on the embedded store, with no server running', () => {
  const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: dataDir } });

  it('makes the store at first use and says who it is', async () => {
    const { code, stdout } = await baton('whoami', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ actor_id: 'owner', actor_type: 'human' });
  });

  it('writes, and finds in the journal what it wrote', async () => {
    const made = await baton('keys', 'create', 'coral', '--actor-type', 'agent', '--json');
    const { key_id } = JSON.parse(made.stdout) as { key_id: string };
    const { stdout } = await baton('journal', 'list', '--types', 'key.created', '--json');
    expect(stdout).toContain(key_id);
  });

  it('shows what a search finds in full, the best first', async () => {
    await baton('deposit', '--title', 'Moved the cache', '--decisions', 'One statement for each query');
    await baton('facts', 'assert', 'cache', 'status', 'shipped');
    const { stdout } = await baton('search', 'cache');
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^[01]\.\d\d {2}Moved the cache$/),
      expect.stringMatching(/^ {6}package pkg_\w+ in default$/),
      expect.stringMatching(/^[01]\.\d\d {2}cache status: shipped$/),
      expect.stringMatching(/^ {6}fact fact_\w+ in default$/),
    ]);
    const statement = await baton('search', 'statement', '--collections', 'package');
    expect(statement.stdout).toMatch(
      /Moved the cache — decisions made\n {6}> One statement for each query\n/,
    );
    expect((await baton('search', 'zzyzx')).stdout).toBe('Nothing found.\n');
  });

  it('proves an event in a file that is checked without any store', async () => {
    const list = await baton('journal', 'list', '--json');
    const { event_id } = JSON.parse(list.stdout).events[0].event as { event_id: string };
    const proof = await baton('trace', 'prove', event_id);
    const file = join(dataDir, 'proof.json');
    await writeFile(file, proof.stdout);
    const good = await runBaton(['trace', 'check-proof', file]);
    expect({ code: good.code, out: good.stdout }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid/),
    });
    await writeFile(file, proof.stdout.replace(/"sequence":\d+/, '"sequence":77'));
    const bad = await runBaton(['trace', 'check-proof', file]);
    expect(bad.code).toBe(6);
  });

  it('refuses in two lines: what is wrong, what to do', async () => {
    const { code, stderr } = await baton('inbox', 'show', 'inb_none');
    expect(code).toBe(1);
    expect(stderr.split('\n').filter(Boolean)).toHaveLength(2);
    expect(stderr).toMatch(/^item_not_found: .*\n→ /);
  });

  it('answers a wrong command with usage and exit code 2', async () => {
    expect((await baton('nonsense')).code).toBe(2);
    expect((await baton('hash')).code).toBe(2);
  });
});

describe('the command line with a running server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await server.close();
  });

  it('finds it by its data directory and uses it', async () => {
    const { code, stdout } = await runBaton(['health', '--json'], { env: { BATON_DATA: server.dataDir } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).status).toBe('healthy');
  });

  it('uses a server elsewhere with the key it is given', async () => {
    const env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: dataDir };
    const { stdout } = await runBaton(['whoami', '--json'], { env });
    expect(JSON.parse(stdout).actor_id).toBe('owner');
  });

  it('tells a server that is down from one that refuses', async () => {
    const down = await runBaton(['whoami'], {
      env: { BATON_URL: 'http://127.0.0.1:1', BATON_DATA: dataDir },
    });
    expect(down).toMatchObject({ code: 3, stderr: expect.stringContaining('server_unreachable') });
    const refused = await runBaton(['whoami'], {
      env: { BATON_URL: server.url, BATON_TOKEN: 'no', BATON_DATA: dataDir },
    });
    expect(refused.code).toBe(4);
  });

  it('prints a link that opens the dashboard once', async () => {
    const { stdout } = await runBaton(['open', '--print'], { env: { BATON_DATA: server.dataDir } });
    expect(stdout).toContain(`http://localhost:${new URL(server.url).port}/sign-in#`);
  });
});

describe('baton hash', () => {
  const hash = (input: string, ...args: string[]) => runBaton(['hash', ...args], { input });

  it.each([
    ['agentic', '{"b":1.0,"a":null}', '{"b":1}'],
    ['appendix-b', '{"b":1.0,"a":null}', '{"a":null,"b":1.0}'],
    ['jcs', '{"b":1.0,"a":null}', '{"a":null,"b":1}'],
  ])('prints the canonical text in profile %s', async (profile, input, text) => {
    expect((await hash(input, '--profile', profile, '--text')).stdout).toBe(text);
  });

  it('refuses what has no single meaning, with the place', async () => {
    const { code, stderr } = await hash('{"a":{"b":1,"b":2}}', '--profile', 'jcs');
    expect(code).toBe(2);
    expect(stderr).toContain('/a/b');
  });
});
