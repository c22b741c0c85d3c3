import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { eventually } from './world.ts';

/** Does what the title of its run says: works, says nothing for ever, waits to be killed, or spends too much. */
const AGENT = `
const fs = require('fs'), path = require('path');
const prompt = fs.readFileSync(0, 'utf8');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const title = /What this run is for[\\s\\S]*?(fine|stall|crash|costly)/.exec(prompt)[1];
const marker = process.env.MARKER;
if (title === 'stall' && a.attempt === 1) setInterval(() => {}, 1000);
else if (title === 'crash' && !fs.existsSync(marker)) { fs.writeFileSync(marker, String(process.pid)); console.log('at work'); setInterval(() => console.log('.'), 200); }
else {
  fs.mkdirSync('src', { recursive: true });
  fs.writeFileSync('src/' + a.run_id + '.txt', title + '\\n');
  fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
    status: 'completed', summary: title, decisions: [], objections: [], files_changed: ['src/' + a.run_id + '.txt'], verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
    artifact: { type: 'workspace' }, proposed_next_role: 'dev', cost: { usd: title === 'costly' ? 2 : 0.1 }, ...(title === 'costly' ? {} : { run_completion_request: true }) }));
}
`;

const CONFIG = {
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
  runtimes: { agent: { type: 'local_cli', command: ['node', '-e', AGENT], stall_seconds: 4 } },
  routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
  rules: { retry_backoff_seconds: 0.1, max_turn_retries: 6 },
  budget: { per_run_max_usd: 1 },
};

describe('a night without anybody', () => {
  let folder: string;
  let server: TestServer;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'baton-night-'));
    server = await startTestServer();
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({ BATON_DATA: server.dataDir, MARKER: join(folder, 'marker') });
  const baton = (root: string, ...args: string[]) =>
    runBaton([...args, '--dir', root], { env: environment() });

  async function repository(name: string, ...titles: readonly string[]): Promise<string> {
    const root = join(folder, name);
    mkdirSync(root);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
    writeFileSync(join(root, 'agentxchain.json'), JSON.stringify(CONFIG));
    writeFileSync(join(root, '.gitignore'), '.agentxchain/\n');
    git('init', '-q');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    git('add', '-A');
    git('commit', '-q', '-m', 'Begin');
    expect(await baton(root, 'run', 'attach', '--project', 'default')).toMatchObject({ code: 0 });
    const issues = join(folder, `${name}.json`);
    const list = titles.map((title, at) => ({ number: at + 1, title, body: 'Please.', state: 'OPEN' }));
    writeFileSync(issues, JSON.stringify([...list, { number: 99, title: 'done', state: 'CLOSED' }]));
    expect(await baton(root, 'run', 'intake', 'issues', issues)).toMatchObject({ code: 0 });
    // The same issues are taken in once.
    const again = await baton(root, 'run', 'intake', 'issues', issues, '--json');
    expect(JSON.parse(again.stdout).added).toEqual([]);
    return root;
  }

  /** Starts an orchestrator, waits until its agent is at work, and kills the orchestrator with its agent. */
  async function killedAtWork(root: string): Promise<void> {
    const child = spawn(process.execPath, [await batonBinary(), 'run', 'unattended', '--dir', root], {
      env: { PATH: process.env.PATH ?? '', ...environment() },
      stdio: 'ignore',
    });
    const marker = join(folder, 'marker');
    await eventually(
      async () => existsSync(marker) && readFileSync(marker, 'utf8') !== '',
      (seen) => seen,
    );
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    process.kill(Number(readFileSync(marker, 'utf8')), 'SIGKILL');
  }

  it('ends with what could be done done, and what needs a person in the inbox', async () => {
    const api = await repository('api', 'fine', 'stall', 'crash');
    const web = await repository('web', 'fine', 'costly');
    await killedAtWork(api);
    const resumed = await baton(api, 'run', 'unattended', '--quiet', '--json');
    expect(JSON.parse(resumed.stdout.split('\n').at(-2) ?? '')).toMatchObject({
      stopped: 'nothing_to_do',
      runs: [{ title: 'crash', stopped: 'completed' }],
    });
    const stopped = await baton(web, 'run', 'unattended', '--quiet', '--json');
    expect(stopped.code).toBe(1);
    expect(JSON.parse(stopped.stdout.split('\n').at(-2) ?? '')).toMatchObject({
      stopped: 'person_needed',
      runs: [
        { title: 'fine', stopped: 'completed' },
        { title: 'costly', stopped: 'blocked' },
      ],
      waitsFor: { reason: expect.stringContaining('budget.per_run_max_usd') },
    });

    const rows = (root: string, name: string) =>
      readFileSync(join(root, '.agentxchain', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(rows(api, 'history.jsonl').map((row) => row.summary)).toEqual(['fine', 'stall', 'crash']);
    expect(rows(api, 'events.jsonl').map((row) => row.event_type)).toContain('turn_stalled');
    expect(rows(api, 'run-history.jsonl').map((row) => row.status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
    const log = execFileSync('git', ['log', '--format=%s'], { cwd: api, encoding: 'utf8' });
    expect(log.trim().split('\n')).toEqual(['dev: crash', 'dev: stall', 'dev: fine', 'Begin']);

    const items = await eventually(
      async () => (await (await server.fetch('/v1/inbox?state=open')).json()).items as { rule: string }[],
      (open) => open.length > 0,
    );
    expect(items.map(({ rule }) => rule)).toEqual(['budget:exhausted']);
  }, 120_000);
});
