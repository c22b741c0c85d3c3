/**
 * Every state that a run can reach in a bounded model: three phases, two turns at once, two attempts, a budget, deadlines,
 * conflicts, questions to people, gates that are approved, declined and auto-approved. The rules are the product's own; the
 * model only chooses what agents, people and the clock do.
 */
import { describe, expect, it } from 'vitest';
import type { GovernedConfig } from '../../config/config.ts';
import { readConfig } from '../../config/rules/read.ts';
import { approveCompletion, approveTransition, declineAtGate } from '../../gates/rules/decide.ts';
import type { HistoryRow } from '../../records.ts';
import { idleState, type RunState, withTurn } from '../../run-state.ts';
import { turnResult } from '../../testing.ts';
import { assignTurn } from '../../turns/rules/assign.ts';
import { commitAcceptance } from '../../turns/rules/commit.ts';
import { type AcceptanceInput, judgeAcceptance } from '../../turns/rules/judge.ts';
import { rejectTurn } from '../../turns/rules/reject.ts';
import type { TurnResult } from '../../turns/turn-result.ts';
import { rolesToAssign } from './choose-role.ts';
import { escalate } from './escalate.ts';
import { initializeRun } from './initialize.ts';
import { applyLimits } from './limits.ts';
import { nextCommand } from './next-command.ts';
import { resumeRun, standingLimit } from './resume.ts';
import { waitsFor } from './waits-for.ts';

const MOST_TURNS = process.env.BATON_PROVE ? 4 : 3;
const NOW = 1_000_000_000_000;
const LATE = NOW + 1e12;

const role = (runtime: string) => ({ title: 'R', mandate: 'M', write_authority: 'authoritative', runtime });
const RAW = {
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { pm: role('hand'), dev: role('agent'), dev2: role('agent'), qa: role('agent') },
  runtimes: { hand: { type: 'manual' }, agent: { type: 'local_cli', command: ['x'] } },
  routing: {
    planning: { entry_role: 'pm', allowed_next_roles: ['pm', 'human'], exit_gate: 'plan' },
    implementation: {
      entry_role: 'dev',
      allowed_next_roles: ['dev', 'dev2', 'human'],
      exit_gate: 'built',
      max_concurrent_turns: 2,
    },
    qa: { entry_role: 'qa', allowed_next_roles: ['qa', 'human'], exit_gate: 'ship' },
  },
  gates: {
    plan: { requires_human_approval: true },
    built: { requires_verification_pass: true },
    ship: { requires_human_approval: true },
  },
  rules: { max_turn_retries: 2, max_idle_turns: 2 },
};
const limited = (usd: number) =>
  readConfig({ ...RAW, budget: { per_run_max_usd: usd, per_turn_max_usd: 2 } });

/** `usd` is the limit that somebody has set; `late` that every deadline has passed. */
interface Place {
  readonly run: RunState;
  readonly history: readonly HistoryRow[];
  readonly staged: readonly string[];
  readonly usd: number;
}

const START: Place = { run: idleState('p', 'planning'), history: [], staged: [], usd: 4 };
const CONFIGS = new Map([4, 40].map((usd) => [usd, limited(usd)]));
const configOf = ({ usd }: Place) => CONFIGS.get(usd) as GovernedConfig;

/** Without times, which are the only thing that would make two equal places differ. */
const keyOf = ({ run, history, staged, usd }: Place) =>
  JSON.stringify([run, history, [...staged].sort(), usd]).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"t"');

const to = (place: Place, run: RunState): Place => ({
  ...place,
  run,
  staged: place.staged.filter((id) => Object.hasOwn(run.active_turns, id)),
});

/** What an agent may have made of a turn. */
const RESULTS = (place: Place, turnId: string) => {
  const { run } = place;
  const phases = ['planning', 'implementation', 'qa'];
  const onward =
    run.phase === 'qa'
      ? { run_completion_request: true }
      : { phase_transition_request: phases[phases.indexOf(run.phase) + 1] };
  const file = `src/${run.active_turns[turnId]?.assigned_role}.ts`;
  return [
    { files_changed: [file], ...onward },
    { files_changed: [file], ...onward, cost: { usd: 2 } },
    { files_changed: [file], ...onward, verification: { status: 'fail' } },
    { files_changed: [], artifact: { type: 'review' } },
    {
      files_changed: ['src/shared.ts', 'src/other.ts', 'src/third.ts'].slice(
        0,
        run.turn_sequence % 2 ? 1 : 3,
      ),
    },
    {
      files_changed: [file],
      status: 'needs_human',
      needs_human_reason: 'which one',
      proposed_next_role: 'human',
    },
  ].map((members) =>
    turnResult(run.active_turns[turnId] as never, { proposed_next_role: 'human', ...members }),
  );
};

function accepted(place: Place, turnId: string, merged = false): readonly Place[] {
  const { run, history } = place;
  const turn = run.active_turns[turnId];
  if (turn === undefined) return [];
  return RESULTS(place, turnId).map((result) => {
    const input: AcceptanceInput = {
      config: configOf(place),
      state: run,
      history,
      ledger: [],
      repoDecisions: [],
      turn,
      result: result as unknown as TurnResult,
      gateFiles: new Map(),
      observation: null,
      now: NOW,
      merged,
    };
    const judged = judgeAcceptance(input);
    if (judged.verdict === 'refused') throw new Error(judged.refusal.message);
    if (judged.verdict === 'conflicted') return to(place, judged.change.state);
    const done = commitAcceptance(input, judged);
    return to({ ...place, history: [...history, brief(done.historyRow)] }, done.state);
  });
}

/** Only what the rules read. */
const brief = (row: HistoryRow) =>
  ({
    turn_id: row.turn_id,
    run_id: row.run_id,
    role: row.role,
    phase: row.phase,
    files_changed: row.files_changed,
    accepted_sequence: row.accepted_sequence,
    artifact: row.artifact,
  }) as unknown as HistoryRow;

function rejected(place: Place, turnId: string, more: { reassign?: boolean; stage?: string } = {}): Place {
  const outcome = rejectTurn(place.run, configOf(place), {
    turnId,
    rejection: { reason: 'no', validation_errors: [], failed_stage: more.stage ?? null },
    now: NOW,
    ...(more.reassign && { reassign: true }),
  });
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return to({ ...place, staged: place.staged.filter((id) => id !== turnId) }, outcome.value.state);
}

/** The places after `baton run step`, which may be several: an agent does as it likes. */
function stepped(place: Place): readonly Place[] {
  const config = configOf(place);
  const limit = applyLimits(place.run, config, NOW);
  if (limit !== undefined) return [to(place, limit.state)];
  const [turn] = Object.values(place.run.active_turns);
  if (turn === undefined) return assigned(place).slice(0, 1);
  return taken(place, turn.turn_id);
}

/** Assigned one after another, as the loop does. */
function assigned(place: Place): readonly Place[] {
  const places: Place[] = [];
  let now = place;
  for (const roleId of rolesToAssign(place.run, configOf(place), place.history)) {
    const outcome = assignTurn(now.run, configOf(place), {
      roleId,
      turnId: `turn_${now.run.turn_sequence + 1}`,
      now: NOW,
    });
    if (!outcome.ok) break;
    now = to(now, outcome.value.state);
    places.push(now);
  }
  return places;
}

function taken(place: Place, turnId: string): readonly Place[] {
  const turn = place.run.active_turns[turnId];
  if (turn === undefined) return [];
  if (['assigned', 'retrying', 'failed_start', 'stalled'].includes(turn.status))
    return [to(place, withTurn(place.run, { ...turn, status: 'dispatched' }))];
  if (place.staged.includes(turnId)) return accepted(place, turnId);
  if (turn.assigned_role === 'pm') return [{ ...place, staged: [...place.staged, turnId] }];
  const refused = to(
    { ...place, staged: [...place.staged, turnId] },
    withTurn(place.run, { ...turn, status: 'failed_acceptance' }),
  );
  return [...accepted(place, turnId), refused, rejected(place, turnId, { stage: 'dispatch' })];
}

/** The places after the command that a place names. */
function outcomesOf(place: Place, command: string): readonly Place[] {
  const [, , verb = '', ...words] = command.split(' ');
  const turnId = words[words.indexOf('--turn') + 1] ?? '';
  const config = configOf(place);
  switch (verb) {
    case 'start': {
      const outcome = initializeRun(place.run, {
        rawConfig: RAW,
        runId: 'run_1',
        now: NOW,
        repoDecisions: [],
      });
      return outcome.ok ? [to(place, outcome.value.state)] : [];
    }
    case 'step':
      return stepped(place);
    case 'accept':
      return accepted(place, turnId, words.includes('--merged'));
    case 'reject':
      return [rejected(place, turnId, { reassign: words.includes('--reassign') })];
    case 'approve': {
      const decide = place.run.pending_phase_transition === null ? approveCompletion : approveTransition;
      const outcome = decide(place.run, { by: 'ada' }, NOW);
      return outcome.ok ? [to(place, outcome.value.state)] : [];
    }
    case 'resume': {
      if (standingLimit(place.run, config, NOW) !== undefined) return [];
      const outcome = resumeRun(place.run, 'ada', NOW);
      return outcome.ok ? [to(place, outcome.value.state)] : [];
    }
    default:
      return [];
  }
}

/** What people and the clock may do at any moment. */
function surroundings(place: Place): readonly Place[] {
  const { run } = place;
  const places: Place[] = [];
  if (run.status === 'active') {
    const late = applyLimits(run, configOf(place), LATE);
    if (late !== undefined) places.push(to(place, late.state));
    const stopped = escalate(run, { reason: 'wait' }, NOW);
    if (stopped.ok) places.push(to(place, stopped.value.state));
    places.push(...assigned(place));
    for (const id of Object.keys(run.active_turns)) places.push(...taken(place, id));
  }
  const declined = declineAtGate(run, { by: 'ada' }, NOW);
  if (declined.ok) places.push(to(place, declined.value.state));
  if (run.blocked_on === 'budget:exhausted' && place.usd === 4) places.push({ ...place, usd: 40 });
  return places;
}

describe('what comes next, in every state of the model', () => {
  it('changes the state, or names the person and the reason, and then the person can', () => {
    const seen = new Map<string, Place>([[keyOf(START), START]]);
    const open: Place[] = [START];
    const reached = new Set<string>();
    const astray: string[] = [];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const { run, staged } = place;
      const here = keyOf(place);
      const next = nextCommand(run, new Set(staged));
      const waiting = waitsFor(run, configOf(place), new Set(staged));
      reached.add(`${run.status}:${(run.blocked_on ?? '').replaceAll(/turn_\d+/g, 'turn')}`);
      let onward = run.status === 'completed' ? [] : outcomesOf(place, next);
      // What the reason asks for is done first where the command alone would be refused.
      if (onward.length === 0 && waiting !== undefined) onward = outcomesOf({ ...place, usd: 40 }, next);
      const led = run.status === 'completed' ? next === 'baton run report' : onward.length > 0;
      if (!led || onward.some((each) => keyOf(each) === here)) astray.push(`${next} in ${here}`);
      if (waiting !== undefined && (waiting.who === '' || waiting.reason === '')) astray.push(here);
      for (const each of [...onward, ...surroundings(place)]) {
        if (each.run.turn_sequence > MOST_TURNS || seen.has(keyOf(each))) continue;
        seen.set(keyOf(each), each);
        open.push(each);
      }
    }
    expect(astray.slice(0, 3)).toEqual([]);
    expect(seen.size).toBeGreaterThan(4000);
    expect([...reached].sort()).toEqual([
      'active:',
      'blocked:budget:exhausted',
      'blocked:escalation:operator:wait',
      'blocked:escalation:retries-exhausted:dev',
      'blocked:escalation:retries-exhausted:dev2',
      'blocked:escalation:retries-exhausted:pm',
      'blocked:escalation:retries-exhausted:qa',
      'blocked:human:conflict_loop:turn',
      'blocked:human:which-one',
      'blocked:non_progress',
      'blocked:timeout:turn',
      'completed:',
      'idle:',
      'paused:human_approval:plan',
      'paused:human_approval:ship',
    ]);
  }, 600_000);
});
