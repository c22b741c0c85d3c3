import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turnResult } from '../../src/slices/delivery/testing.ts';
import { type Ran, runBaton } from '../setup/cli.ts';
import { commitAll, type Governed, governedRepository } from './world.ts';

/** What an agent's program writes for a person's terminal must not reach it raw. */
const ESCAPE = String.fromCharCode(27);

/** Dozens of processes, one after another. */
describe('baton run', () => {
  let governed: Governed;
  let data: string;
  beforeEach(async () => {
    governed = await governedRepository();
    data = await mkdtemp(join(tmpdir(), 'baton-cli-'));
  });
  afterEach(async () => {
    await governed.remove();
    await rm(data, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<Ran> =>
    runBaton(['run', ...args, '--dir', governed.root], { env: { BATON_DATA: data } });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

  it('takes a whole run from start to report', async () => {
    // The next command works from where one stands.
    expect((await run('start')).stdout).toContain(
      `is active in planning.\nnext  baton run step --dir ${governed.root}`,
    );
    expect((await run('step')).stdout).toMatch(
      /turn accepted +pm +Wrote down .*[\s\S]*next {2}baton run approve/,
    );
    expect((await run('gate')).stdout).toContain('it would open now');
    expect((await run('approve', '--by', 'ana', '--note', 'Clear')).stdout).toContain('in implementation');
    const sentBack = await run('step');
    expect(sentBack).toMatchObject({ code: 1, stdout: expect.stringContaining('src/names.mjs') });
    expect((await run('step', '--all')).stdout).toContain('A gate waits for a person.');
    expect((await run('status')).stdout).toMatch(/planning ✓ → implementation ✓ → qa/);
    expect((await run('approve')).stdout).toContain('is completed');

    expect(await json('history')).toMatchObject([{ role: 'pm' }, { role: 'dev' }, { role: 'qa' }]);
    expect((await run('history', '--limit', '1')).stdout).toContain('Every requirement holds');
    expect(await json('decisions', '--lasting')).toMatchObject([{ id: 'DEC-001', status: 'active' }]);
    expect((await run('decisions', '--all')).stdout).toContain('ana');
    const events = await json('events');
    expect([events[0].event_type, events.at(-1).event_type]).toEqual(['run_started', 'run_completed']);
    expect((await run('watch', '--from-start')).stdout.split('\n')).toHaveLength(events.length + 2);
    expect((await run('verify', '--replay')).code).toBe(0);

    const file = join(data, 'run.json');
    expect((await run('export', '--out', file)).code).toBe(0);
    const report = await run('report', '--from', file);
    expect(report.stdout).toContain('Status **completed**');
    const altered = (await readFile(file, 'utf8')).replace('"sha256": "', '"sha256": "0');
    await writeFile(file, altered);
    expect(await run('report', '--from', file)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/export_unverified/),
    });
  });

  it('can be watched while it goes, until it is complete', async () => {
    await run('start');
    let over = false;
    const watched = run('watch', '--from-start').finally(() => {
      over = true;
    });
    const followed = run('watch', '--from-start', '--json');
    await run('step');
    await run('approve');
    await run('step', '--all');
    expect(over).toBe(false);
    await run('approve');
    const { code, stdout } = await watched;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /run started[\s\S]*turn accepted +pm[\s\S]*gate approved[\s\S]*turn rejected +dev[\s\S]*run completed/,
    );
    const rows = (await followed).stdout.trim().split('\n');
    const types = rows.map((line) => JSON.parse(line).event_type);
    expect(types).toEqual((await json('events')).map((event: { event_type: string }) => event.event_type));
  });

  it('waits for a person where a person does the work, and says what is wrong with the result', async () => {
    await rm(join(governed.root, 'agentxchain.json'));
    expect((await run('init', '--name', 'Shop')).stdout).toMatch(
      /next {2}git -C \S+ add -A && git -C \S+ commit -m "Set up runs" && baton run start --dir/,
    );
    expect(await run('init')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/run_already_initialized/),
    });
    commitAll(governed.root);
    await run('start');
    expect(await json('step')).toMatchObject({ outcome: 'waiting' });
    expect((await run('status')).stdout).toMatch(
      /waits for a person\n +read \.agentxchain\/dispatch\/turns\/turn_\w+\/PROMPT\.md\n +write \S+turn-result\.json/,
    );
    const { state } = await json('status');
    const [turn] = Object.values(state.active_turns as Record<string, Parameters<typeof turnResult>[0]>);
    if (turn === undefined) throw new Error('no turn was handed out');
    const { turn_id } = turn;
    const result = turnResult(turn, { files_changed: ['README.md'], summary: `${ESCAPE}[31mred` });
    const staging = `.agentxchain/staging/${turn_id}/turn-result.json`;
    await governed.write(staging, JSON.stringify({ ...result, role: 'qa' }));
    expect(await run('accept', '--turn', turn_id)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/role/),
    });
    const refused = (await run('status')).stdout;
    expect(refused).toMatch(/its result was refused\n +- .*role/);
    expect(refused).toContain(`next    baton run reject --dir ${governed.root} --turn ${turn_id}`);
    expect((await run('reject', '--turn', turn_id)).stdout).toContain('turn rejected');
    await run('step');
    await governed.write('README.md', '# Shop\n\nFirst words\n');
    await governed.write(staging, JSON.stringify(result));
    const accepted = await run('step');
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('\\u001b[31mred') });
    expect(accepted.stdout).not.toContain(ESCAPE);
  });

  it('stops for a person and goes on', async () => {
    await run('start');
    expect((await run('escalate', 'The', 'scope', 'is', 'unclear')).stdout).toContain(
      'next  baton run resume',
    );
    expect(await json('status')).toMatchObject({
      state: { status: 'blocked' },
      next: `baton run resume --dir ${governed.root}`,
    });
    expect((await run('resume')).stdout).toContain('is active');
    expect(await run('decline')).toMatchObject({ code: 1, stderr: expect.stringMatching(/→ /) });
  });

  it('refuses a directory that is not governed, and says how to begin', async () => {
    const missing = await runBaton(['run', 'status', '--dir', data], { env: { BATON_DATA: data } });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('baton run init') });
  });
});

describe('baton multi', () => {
  it('takes turns over two repositories up to a gate that a person opens', async () => {
    const root = await mkdtemp(join(tmpdir(), 'baton-multi-'));
    const agent = `const fs = require('fs'); const a = JSON.parse(fs.readFileSync(process.env.AGENTXCHAIN_DISPATCH_DIR + '/ASSIGNMENT.json'));
fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: 'Built', decisions: [], objections: [], files_changed: ['src/x.ts'], artifact: { type: 'workspace' }, proposed_next_role: 'human',
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] } }));`;
    const repository = {
      schema_version: '1.0',
      project: { id: 'r', name: 'R' },
      roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
      runtimes: { agent: { type: 'local_cli', command: [process.execPath, '-e', agent] } },
      routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
    };
    const repositories: Governed[] = [];
    for (let i = 0; i < 2; i += 1) repositories.push(await governedRepository(repository));
    const stream = (repo: string, depends_on: string[]) => ({
      ...{ phase: 'implementation', repos: [repo], entry_repo: repo, depends_on },
      completion_barrier: 'all_repos_accepted',
    });
    await writeFile(
      join(root, 'agentxchain-multi.json'),
      JSON.stringify({
        schema_version: '0.1',
        project: { id: 'm', name: 'M' },
        repos: {
          api: { path: `../${repositories[0]?.root.split('/').at(-1)}` },
          web: { path: `../${repositories[1]?.root.split('/').at(-1)}` },
        },
        workstreams: { backend: stream('api', []), frontend: stream('web', ['backend']) },
        routing: { implementation: { entry_workstream: 'backend' } },
      }),
    );
    const env = { HOME: root, BATON_DATA: join(root, 'data') };
    const multi = (...args: string[]) => runBaton(['multi', ...args, '--dir', root], { env });
    expect((await multi('start')).stdout).toContain('next  baton multi step');
    expect((await multi('step')).stdout).toContain('api for backend: accepted');
    expect((await multi('step')).stdout).toContain('web for frontend: accepted');
    expect((await multi('gate')).stdout).toContain('next  baton multi approve');
    expect(JSON.parse((await multi('approve', '--json')).stdout)).toMatchObject({
      state: { status: 'completed' },
    });
    for (const { remove } of repositories) await remove();
    await rm(root, { recursive: true, force: true });
  });
});

it('baton demo run shows a newcomer a whole run', async () => {
  const home = await mkdtemp(join(tmpdir(), 'baton-home-'));
  const { code, stdout } = await runBaton(['demo', 'run'], { env: { HOME: home } });
  // It is shown in folders of its own, which are gone again.
  expect(await readdir(home)).toEqual([]);
  await rm(home, { recursive: true });
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Run completed: 3 turns'),
  });
  expect(stdout).toMatch(/Sent back: .*names\.mjs/);
});
