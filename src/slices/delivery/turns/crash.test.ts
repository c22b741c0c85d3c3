import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BatonError } from '../../../kernel/error.ts';
import { startRun } from '../runs/start.ts';
import { type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from './accept.ts';
import { assign } from './assign.ts';
import { dispatch } from './dispatch.ts';

const run = promisify(execFile);

/** A repository with one turn staged and ready to be accepted. */
async function prepared(): Promise<{ repo: TestRepository; turnId: string }> {
  const repo = testRepository();
  const repository = repo.open();
  await startRun(repository);
  const { turn } = await assign(repository);
  await dispatch(repository, turn.turn_id);
  repo.stage(
    turn.turn_id,
    turnResult(turn, {
      decisions: [
        {
          id: 'DEC-001',
          category: 'architecture',
          statement: 'Use SQLite',
          rationale: 'One file',
          durability: 'repo',
        },
      ],
      phase_transition_request: 'qa',
    }),
  );
  return { repo, turnId: turn.turn_id };
}

function expectAcceptedOnce(repo: TestRepository, turnId: string): void {
  expect(repo.rows('.agentxchain/history.jsonl').map((row) => row.turn_id)).toEqual([turnId]);
  expect(repo.rows('.agentxchain/decision-ledger.jsonl').map((row) => row.id)).toEqual(['DEC-001']);
  expect(repo.rows('.agentxchain/repo-decisions.jsonl').map((row) => row.id)).toEqual(['DEC-001']);
  const events = repo.rows('.agentxchain/events.jsonl').map((row) => row.event_type);
  expect(events).toEqual(['run_started', 'turn_dispatched', 'turn_accepted', 'phase_entered']);
  expect(repo.read('TALK.md').match(/^## 1\. dev/gm)).toHaveLength(1);
  const state = JSON.parse(repo.read('.agentxchain/state.json'));
  expect(state).toMatchObject({ status: 'active', phase: 'qa', accepted_sequence: 1, active_turns: {} });
  expect(
    Object.keys(repo.bytes()).filter((path) => /transactions|dispatch\/turns|staging|\.tmp/.test(path)),
  ).toEqual([]);
}

/** Accepting again after the crash either does it, or says that it was done: both leave one history row. */
async function acceptAgain(repo: TestRepository, turnId: string): Promise<void> {
  try {
    await accept(repo.open(), { turnId });
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'turn_already_accepted') throw error;
  }
}

const STEPS = [
  'journal',
  'append:.agentxchain/history.jsonl',
  'append:.agentxchain/decision-ledger.jsonl',
  'append:.agentxchain/repo-decisions.jsonl',
  'append:TALK.md',
  'append:.agentxchain/events.jsonl',
  'replace:.agentxchain/state.json',
  'replace:.agentxchain/session.json',
  'remove:bundle',
  'remove:staging',
  'drop-journal',
  'done',
];

/** A process for each is for the long form: `runs/every-write.test.ts` stops one at far more. */
const KILLED_AT = STEPS.filter((_step, at) => process.env.BATON_PROVE === '1' || at % 4 === 1);

const label = (step: string) =>
  step
    .replace(/^remove:.*dispatch\/turns.*/, 'remove:bundle')
    .replace(/^remove:.*staging.*/, 'remove:staging');

describe('accepting a turn', () => {
  it('writes in the steps that the crash tests below break', async () => {
    const { repo, turnId } = await prepared();
    const seen: string[] = [];
    await accept(
      repo.open((step) => seen.push(label(step))),
      { turnId },
    );
    expect(seen).toEqual(STEPS);
    expectAcceptedOnce(repo, turnId);
    repo.remove();
  });

  it.each(STEPS)(
    'leaves exactly one history row when it fails before the step %s and is repeated',
    async (broken) => {
      const { repo, turnId } = await prepared();
      const failing = repo.open((step) => {
        if (label(step) === broken) throw new Error(`power lost at ${step}`);
      });
      await expect(accept(failing, { turnId })).rejects.toThrow('power lost');
      await acceptAgain(repo, turnId);
      expectAcceptedOnce(repo, turnId);
      repo.remove();
    },
  );
});

describe('a process that is killed while it accepts', () => {
  let directory: string;
  let program: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'baton-crash-'));
    program = join(directory, 'accept-and-die.mjs');
    await build({
      entryPoints: [new URL('./accept-and-die.ts', import.meta.url).pathname],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'silent',
    });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each(KILLED_AT)('before the step %s loses nothing and repeats nothing', async (broken) => {
    const { repo, turnId } = await prepared();
    const child = run(process.execPath, [program, repo.root, turnId, broken]);
    await expect(child).rejects.toMatchObject({ signal: 'SIGKILL' });
    await acceptAgain(repo, turnId);
    expectAcceptedOnce(repo, turnId);
    repo.remove();
  });
});
