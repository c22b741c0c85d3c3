import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { fakeClock, seededRandom } from '../../../platform/testing.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { approveCoordinatorGate, requestCoordinatorGate, resumeMulti } from './gate.ts';
import { startMulti } from './start.ts';
import { multiStatus } from './status.ts';
import { stepMulti } from './step.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const AGENT = `
const fs = require('fs'), path = require('path');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const c = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'COORDINATOR_CONTEXT.json')));
const decisions = c.required_decision_ids.map((id) => ({ id, category: 'architecture', statement: 'The interface is fixed', rationale: 'Both sides need it' }));
fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: c.repo_id + ' knows of ' + c.accepted_elsewhere.length, decisions, objections: [], files_changed: [process.env.STRAY || 'src/x.ts'],
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] }, artifact: { type: 'workspace' }, proposed_next_role: 'human' }));
`;

const REPO: LooseRecord = {
  schema_version: '1.0',
  project: { id: 'r', name: 'R' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
  runtimes: { agent: { type: 'local_cli', command: ['node', '-e', AGENT] } },
  routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
};

const stream = (repos: string[], more: LooseRecord = {}): LooseRecord => ({
  phase: 'implementation',
  repos,
  entry_repo: repos[0],
  depends_on: [],
  completion_barrier: 'all_repos_accepted',
  ...more,
});

describe('the coordinator', () => {
  let root: string;
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const adapters = runtimeAdapters();

  function workspace(workstreams: LooseRecord, more: LooseRecord = {}): Workspace {
    root = mkdtempSync(join(tmpdir(), 'baton-multi-'));
    const write = (path: string, document: LooseRecord) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), JSON.stringify(document));
    };
    write('repos/api/agentxchain.json', REPO);
    write('repos/web/agentxchain.json', REPO);
    write('agentxchain-multi.json', {
      schema_version: '0.1',
      project: { id: 'm', name: 'M' },
      repos: { api: { path: './repos/api' }, web: { path: './repos/web' } },
      workstreams,
      routing: { implementation: { entry_workstream: Object.keys(workstreams)[0] } },
      ...more,
    });
    return openWorkspace({
      root,
      clock: fakeClock(),
      random: seededRandom(3),
      hasher: nodeHasher,
      keepIn: `${root}.keep`,
      lockWaitMs: 60_000,
    });
  }

  it('takes workstreams in order, tells each repository of the others, and ends at a human gate', async () => {
    const multi = workspace({
      backend: stream(['api']),
      frontend: stream(['web'], { depends_on: ['backend'] }),
    });
    expect((await multiStatus(multi)).next).toBe('baton multi start');
    await startMulti(multi);
    await expect(requestCoordinatorGate(multi)).rejects.toMatchObject({
      message: expect.stringContaining('barrier_unsatisfied'),
    });
    expect(await stepMulti(multi, { adapters })).toMatchObject({
      kind: 'stepped',
      repoId: 'api',
      workstreamId: 'backend',
    });
    const second = await stepMulti(multi, { adapters });
    expect(second).toMatchObject({
      repoId: 'web',
      projected: [
        {
          projection: { summary: 'web knows of 1' },
          effects: [{ barrier_id: 'frontend_completion', new_status: 'satisfied' }],
        },
      ],
    });
    expect((await multiStatus(multi)).next).toBe('baton multi gate');
    expect(await requestCoordinatorGate(multi)).toMatchObject({
      status: 'paused',
      pending_gate: { kind: 'run_completion' },
    });
    expect(await approveCoordinatorGate(multi, 'ada')).toMatchObject({
      status: 'completed',
      pending_gate: null,
    });
  });

  it('holds named decisions against each repository', async () => {
    const multi = workspace({
      contract: stream(['api', 'web'], {
        completion_barrier: 'named_decisions',
        named_decisions: { decision_ids_by_repo: { api: ['DEC-101'], web: ['DEC-201'] } },
      }),
    });
    await startMulti(multi);
    const first = await stepMulti(multi, { adapters });
    expect(first).toMatchObject({ projected: [{ effects: [{ new_status: 'partially_satisfied' }] }] });
    const second = await stepMulti(multi, { adapters });
    expect(second).toMatchObject({ projected: [{ effects: [{ new_status: 'satisfied' }] }] });
  });

  it('lets only a person satisfy a shared human gate', async () => {
    const multi = workspace({ core: stream(['api', 'web'], { completion_barrier: 'shared_human_gate' }) });
    await startMulti(multi);
    await stepMulti(multi, { adapters });
    await stepMulti(multi, { adapters });
    expect((await multiStatus(multi)).barriers.core_completion).toMatchObject({
      status: 'pending',
      satisfied_repos: ['api', 'web'],
    });
    await requestCoordinatorGate(multi);
    await approveCoordinatorGate(multi, 'ada');
    expect((await multiStatus(multi)).barriers.core_completion).toMatchObject({ status: 'satisfied' });
  });

  it('changes nothing when a hook stops an assignment beforehand', async () => {
    const hook = {
      name: 'no',
      type: 'process',
      mode: 'blocking',
      timeout_ms: 30_000,
      command: ['node', '-e', 'console.log(\'{"verdict":"block"}\')'],
    };
    const multi = workspace({ core: stream(['api', 'web']) }, { hooks: { before_assignment: [hook] } });
    await startMulti(multi);
    const before = readFileSync(join(root, '.agentxchain/multirepo/state.json'), 'utf8');
    await expect(stepMulti(multi, { adapters })).rejects.toMatchObject({ code: 'hook_stopped' });
    expect(readFileSync(join(root, '.agentxchain/multirepo/state.json'), 'utf8')).toBe(before);
  });

  it('asks for a recovery report when a hook fails after the fact', async () => {
    const hook = {
      name: 'late',
      type: 'process',
      mode: 'blocking',
      timeout_ms: 30_000,
      command: ['node', '-e', 'process.exit(1)'],
    };
    const multi = workspace({ core: stream(['api', 'web']) }, { hooks: { after_acceptance: [hook] } });
    await startMulti(multi);
    await stepMulti(multi, { adapters });
    expect((await multiStatus(multi)).next).toBe('baton multi resume');
    await expect(resumeMulti(multi)).rejects.toMatchObject({
      details: { rule: 'coordinator.recovery_report' },
    });
    const filled = ['Trigger', 'Impact', 'Mitigation']
      .map((name) => `## ${name}\n\nA sentence.\n`)
      .join('\n');
    writeFileSync(join(root, '.agentxchain/multirepo/RECOVERY_REPORT.md'), filled);
    expect(await resumeMulti(multi)).toMatchObject({ status: 'active' });
  });

  it('refuses repositories whose phases differ', async () => {
    const multi = workspace({ core: stream(['api', 'web']) });
    const other = { ...REPO, routing: { build: { entry_role: 'dev' } } };
    writeFileSync(join(root, 'repos/web/agentxchain.json'), JSON.stringify(other));
    await expect(startMulti(multi)).rejects.toMatchObject({ details: { rule: 'coordinator.same_phases' } });
  });
});

describe('a coordinator whose repositories go at their own pace', () => {
  let root: string;
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** One repository with two phases; its agent moves on, and completes, as soon as it can. */
  const EAGER = `
const fs = require('fs'), path = require('path');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: a.phase, decisions: [], objections: [], files_changed: ['src/x.ts'], verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
  artifact: { type: 'workspace' }, proposed_next_role: 'human', ...(a.phase === 'planning' ? { phase_transition_request: 'implementation' } : { run_completion_request: true }) }));
`;

  it('counts only turns of the phase, and begins another run where one has completed', async () => {
    root = mkdtempSync(join(tmpdir(), 'baton-multi-'));
    const write = (path: string, document: LooseRecord) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), JSON.stringify(document));
    };
    const route = { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] };
    write('api/agentxchain.json', {
      ...REPO,
      runtimes: { agent: { type: 'local_cli', command: ['node', '-e', EAGER] } },
      routing: { planning: route, implementation: route },
    });
    write('agentxchain-multi.json', {
      schema_version: '0.1',
      project: { id: 'm', name: 'M' },
      repos: { api: { path: './api' } },
      workstreams: {
        plan: stream(['api'], { phase: 'planning' }),
        first: stream(['api']),
        second: stream(['api']),
      },
      routing: { planning: { entry_workstream: 'plan' }, implementation: { entry_workstream: 'first' } },
      gates: { plan: { requires_human_approval: false }, ship: { requires_human_approval: false } },
    });
    const multi = openWorkspace({
      root,
      clock: fakeClock(),
      random: seededRandom(3),
      hasher: nodeHasher,
      keepIn: `${root}.keep`,
      lockWaitMs: 60_000,
    });
    const commands: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const { next, state } = await multiStatus(multi);
      if (state?.status === 'completed') break;
      commands.push(next);
      if (next === 'baton multi start') await startMulti(multi);
      else if (next === 'baton multi step') await stepMulti(multi, { adapters: runtimeAdapters() });
      else if (next === 'baton multi gate') await requestCoordinatorGate(multi);
      else throw new Error(next);
    }
    expect(commands).toEqual([
      'baton multi start',
      'baton multi step',
      'baton multi gate',
      'baton multi step',
      'baton multi step',
      'baton multi gate',
    ]);
    expect((await multiStatus(multi)).state?.status).toBe('completed');
    const history = (await multi.snapshot()).history.filter((row) => row.type === 'acceptance_projection');
    expect(history.map((row) => [row.workstream_id, row.summary])).toEqual([
      ['plan', 'planning'],
      ['first', 'implementation'],
      ['second', 'implementation'],
    ]);
    expect(new Set(history.map((row) => row.repo_run_id)).size).toBe(2);
  });
});
