import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';
import { reject } from '../turns/reject.ts';
import { type LoopOptions, runLoop } from './loop.ts';
import { startRun } from './start.ts';
import { verifyRun } from './verify.ts';

/**
 * Each waits until the others of its phase have begun: taken one after another, none of them would ever end. What they
 * write and ask for stands in the config, so that a test says it.
 */
const AGENT = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const a = JSON.parse(readFileSync(join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json'), 'utf8'));
const part = JSON.parse(process.env.PARTS)[a.role];
const write = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); };
write(process.env.BEGUN + '/' + a.role, '');
const until = Date.now() + 240000;
while (!part.with.every((role) => existsSync(process.env.BEGUN + '/' + role))) {
  if (Date.now() > until) process.exit(9);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const { files, ...answer } = a.attempt > 1 && part.again ? part.again : part.does;
for (const file of files) write(file, a.role + ' ' + a.attempt + '\\n');
write(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({
  schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: a.role + ' did its part', decisions: [], objections: [], files_changed: files,
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
  artifact: { type: 'workspace' }, proposed_next_role: 'human', ...answer }));
`;

interface Part {
  readonly with: readonly string[];
  readonly does: { readonly files: readonly string[]; readonly [answer: string]: unknown };
  readonly again?: Part['does'];
}

/** `begun`: where they see each other, since each works in a tree of its own. */
function config(parts: Readonly<Record<string, Part>>, most: number, begun = ''): LooseRecord {
  const roles = Object.keys(parts);
  return {
    schema_version: '1.0',
    project: { id: 'p', name: 'P' },
    roles: Object.fromEntries(
      roles.map((id) => [
        id,
        { title: id, mandate: `Act as ${id}`, write_authority: 'authoritative', runtime: 'agent' },
      ]),
    ),
    runtimes: {
      agent: {
        type: 'local_cli',
        command: [process.execPath, 'agent.mjs'],
        env: { PARTS: JSON.stringify(parts), BEGUN: begun },
      },
    },
    routing: {
      implementation: {
        entry_role: roles[0],
        allowed_next_roles: [...roles, 'human'],
        max_concurrent_turns: most,
      },
    },
  };
}

describe('a loop over a phase that takes several turns at a time', () => {
  let repo: TestRepository;
  let begun: string;
  beforeEach(() => {
    begun = mkdtempSync(join(tmpdir(), 'baton-begun-'));
  });
  afterEach(() => {
    repo.remove();
    rmSync(begun, { recursive: true });
  });

  async function looped(
    parts: Readonly<Record<string, Part>>,
    most: number,
    more: Partial<LoopOptions> = {},
  ) {
    repo = testRepository(config(parts, most, begun), { git: true });
    repo.write('agent.mjs', AGENT);
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'agent');
    const repository = repo.open();
    await startRun(repository);
    const outcomes: string[] = [];
    const result = await runLoop(repository, {
      adapters: runtimeAdapters(),
      onStep: ({ outcome }) => outcomes.push(outcome),
      ...more,
    });
    return { repository, result, outcomes };
  }
  const accepted = () => repo.rows('.agentxchain/history.jsonl');

  it('lets the roles work side by side, and decides the request to move on when the last is in', async () => {
    const { repository, result, outcomes } = await looped(
      {
        api: { with: ['web'], does: { files: ['src/api.js'], run_completion_request: true } },
        web: { with: ['api'], does: { files: ['src/web.js'] } },
      },
      2,
    );
    expect(result).toMatchObject({ stopped: 'completed', steps: 2, message: null });
    expect(outcomes).toEqual(['accepted', 'accepted']);
    const [first, second] = accepted();
    expect([first?.role, second?.role].sort()).toEqual(['api', 'web']);
    expect(accepted().flatMap((row) => row.concurrent_with)).toHaveLength(1);
    expect(await verifyRun(repository)).toMatchObject({ ok: true });
  });

  it('takes no more of them at a time than the phase allows', async () => {
    const alone = (file: string) => ({ with: [], does: { files: [file] } });
    const { result } = await looped(
      { one: alone('src/1.js'), two: alone('src/2.js'), three: alone('src/3.js') },
      2,
      { maxTurns: 3 },
    );
    expect(result).toMatchObject({ stopped: 'max_turns_reached', steps: 3 });
    expect(accepted().map((row) => row.role)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    for (const row of accepted()) expect((row.concurrent_with as string[]).length).toBeLessThan(2);
  });

  it('does a turn again whose files partly collide, on top of what came in between', async () => {
    const { result, outcomes } = await looped(
      {
        api: { with: ['web'], does: { files: ['src/shared.js', 'src/a.js', 'src/b.js'] } },
        web: {
          with: ['api'],
          does: { files: ['src/shared.js', 'src/c.js', 'src/d.js'], run_completion_request: true },
        },
      },
      2,
      { maxTurns: 3 },
    );
    expect(outcomes.filter((outcome) => outcome === 'conflicted')).toHaveLength(1);
    expect(accepted().map((row) => row.attempt)).toEqual([1, 2]);
    expect(result.state.active_turns).toEqual({});
    expect(repo.rows('.agentxchain/decision-ledger.jsonl').map((row) => row.decision)).toEqual([
      'conflict_detected',
      'conflict_rejected',
    ]);
  });

  it('stops for a person where most files collide, and says how to go on', async () => {
    const both = { files: ['src/shared.js'] };
    const { result } = await looped(
      { api: { with: ['web'], does: both }, web: { with: ['api'], does: both } },
      2,
    );
    expect(result).toMatchObject({ stopped: 'conflict_stall' });
    expect(result.next).toMatch(/^baton run reject --turn turn_\w+ --reassign$/);
  });

  it('begins nothing new once a turn asks for a person, and keeps what the others did', async () => {
    const { repository, result } = await looped(
      {
        api: {
          with: ['web'],
          does: { files: ['src/api.js'], status: 'needs_human', needs_human_reason: 'Which region?' },
        },
        web: { with: ['api'], does: { files: ['src/web.js'] } },
      },
      2,
    );
    expect(result).toMatchObject({ stopped: 'blocked', message: 'Which region?', steps: 2 });
    const { state } = await repository.snapshot();
    expect(accepted().length + Object.keys(state.active_turns).length).toBe(2);
  });
});

describe('a turn that collided', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  it('is reassigned with what it collided with; one that did not is refused', async () => {
    const { runtimes: _runtimes, ...rest } = config(
      { api: { with: [], does: { files: [] } }, web: { with: [], does: { files: [] } } },
      2,
    );
    repo = testRepository({ ...rest, runtimes: { agent: { type: 'manual' } } });
    const repository = repo.open();
    await startRun(repository);
    const { turn: api } = await assign(repository, 'api');
    const { turn: web } = await assign(repository, 'web');
    const before = repo.bytes();
    await expect(reject(repository)).rejects.toMatchObject({ code: 'target_required' });
    await expect(reject(repository, { turnId: web.turn_id, reassign: true })).rejects.toMatchObject({
      code: 'invalid_state_transition',
      details: { rule: 'turn.reassign' },
      next: expect.stringContaining(`--turn ${web.turn_id} --reason`),
    });
    expect(repo.bytes()).toEqual(before);

    for (const turn of [api, web]) {
      await dispatch(repository, turn.turn_id);
      repo.stage(turn.turn_id, turnResult(turn, { proposed_next_role: 'human' }));
    }
    await accept(repository, { turnId: api.turn_id });
    expect(await accept(repository, { turnId: web.turn_id })).toMatchObject({ outcome: 'conflicted' });
    const again = await reject(repository, { turnId: web.turn_id, reassign: true });
    expect(again.state.active_turns[web.turn_id]).toMatchObject({
      status: 'retrying',
      attempt: 2,
      last_rejection: { reason: 'Other turns changed the same files.' },
      conflict_context: { conflicting_files: ['src/app.ts'], accepted_since: [api.turn_id] },
    });
    await dispatch(repository, web.turn_id);
    expect(repo.read(`.agentxchain/dispatch/turns/${web.turn_id}/PROMPT.md`)).toContain('## Conflict');
    repo.stage(web.turn_id, turnResult(web, { proposed_next_role: 'human' }));
    expect(await accept(repository)).toMatchObject({ outcome: 'accepted' });
  });
});
