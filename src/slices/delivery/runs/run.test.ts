import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { approve } from '../gates/decide.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { type TestRepository, testRepository } from '../testing.ts';
import { runLoop } from './loop.ts';
import { startRun } from './start.ts';
import { verifyRun } from './verify.ts';

/** A small agent: reads its assignment, does what its role does, and stages a result. */
const AGENT = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const dir = process.env.AGENTXCHAIN_DISPATCH_DIR;
const a = JSON.parse(readFileSync(join(dir, 'ASSIGNMENT.json'), 'utf8'));
const write = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); };
const answer = (extra) => write(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({
  schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: a.role + ' did its part', decisions: [], objections: [],
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
  artifact: { type: 'workspace' }, proposed_next_role: 'human', ...extra }));
if (a.role === 'pm') {
  write('.planning/PM_SIGNOFF.md', 'Approved: YES\\n');
  answer({ files_changed: ['.planning/PM_SIGNOFF.md'], phase_transition_request: 'implementation',
    decisions: [{ id: 'DEC-001', category: 'scope', statement: 'Build a greeter', rationale: 'It was asked for', durability: 'repo' }] });
} else if (a.role === 'dev') {
  write('src/greet.js', 'export const greet = () => "hello";\\n');
  // The first attempt forgets to declare its file and is sent back.
  answer({ files_changed: a.attempt === 1 ? ['src/other.js'] : ['src/greet.js'], phase_transition_request: 'qa' });
} else {
  write('.planning/ship-verdict.md', '## Verdict: YES\\n');
  answer({ files_changed: ['.planning/ship-verdict.md'], run_completion_request: true });
}
`;

const CONFIG: LooseRecord = {
  schema_version: '1.0',
  project: { id: 'greeter', name: 'Greeter' },
  roles: Object.fromEntries(
    ['pm', 'dev', 'qa'].map((id) => [
      id,
      { title: id, mandate: `Act as ${id}`, write_authority: 'authoritative', runtime: 'agent' },
    ]),
  ),
  runtimes: { agent: { type: 'local_cli', command: ['node', 'agent.mjs'] } },
  routing: {
    planning: { entry_role: 'pm', allowed_next_roles: ['pm', 'human'], exit_gate: 'signoff' },
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
    qa: { entry_role: 'qa', allowed_next_roles: ['qa', 'human'], exit_gate: 'ship' },
  },
  gates: {
    signoff: { requires_files: ['.planning/PM_SIGNOFF.md'], requires_human_approval: true },
    built: { requires_verification_pass: true },
    ship: { requires_files: ['.planning/ship-verdict.md'], requires_human_approval: true },
  },
};

describe('a run over three phases with local agents', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  it('stops at each human gate, sends careless work back, and ends completed', async () => {
    repo = testRepository(CONFIG, { git: true });
    repo.write('agent.mjs', AGENT);
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'agent');
    const repository = repo.open();
    const adapters = runtimeAdapters();
    await startRun(repository);

    const planned = await runLoop(repository, { adapters });
    expect(planned).toMatchObject({ stopped: 'gate_held', next: 'baton run approve' });
    expect(planned.state.pending_phase_transition).toMatchObject({ gate: 'signoff', to: 'implementation' });
    await approve(repository, { by: 'ada' });

    const outcomes: string[] = [];
    const built = await runLoop(repository, { adapters, onStep: (result) => outcomes.push(result.outcome) });
    expect(outcomes).toEqual(['rejected', 'accepted', 'accepted']);
    expect(built).toMatchObject({ stopped: 'gate_held' });
    const finished = await approve(repository, { by: 'ada' });

    expect(finished.state).toMatchObject({ status: 'completed', accepted_sequence: 3 });
    expect(finished.next).toBe('baton run report');
    expect(repo.rows('.agentxchain/history.jsonl').map((row) => row.role)).toEqual(['pm', 'dev', 'qa']);
    expect(repo.rows('.agentxchain/run-history.jsonl')).toMatchObject([{ status: 'completed' }]);
    expect(await verifyRun(repository)).toMatchObject({ ok: true });
  });

  it('carries repository decisions into the next run', async () => {
    repo = testRepository(CONFIG, { git: true });
    repo.write('agent.mjs', AGENT);
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'agent');
    const repository = repo.open();
    const adapters = runtimeAdapters();
    await startRun(repository);
    for (let gates = 0; gates < 2; gates += 1) {
      await runLoop(repository, { adapters });
      await approve(repository);
    }
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'first run');
    await expect(startRun(repository)).rejects.toMatchObject({ code: 'invalid_state_transition' });
    const again = await startRun(repository, { restart: true });
    expect(again.state.repo_decisions).toMatchObject([{ id: 'DEC-001', status: 'active' }]);
  });
});
