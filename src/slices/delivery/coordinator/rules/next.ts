import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { member } from '../../../../kernel/json/loose.ts';
import type { CoordinatorState } from '../state.ts';
import type { CoordinatorSnapshot } from '../workspace.ts';
import { chooseDispatch } from './assign.ts';
import { type GateBlocker, gateBlockers } from './gates.ts';

/** The command to run next. `person` says why it takes one; null where the command changes something by itself. */
export interface MultiNext {
  readonly command: string;
  readonly person: string | null;
}

const byItself = (command: string): MultiNext => ({ command, person: null });

/** One answer for every command, so that no two of them send a reader back and forth. */
export function nextOfMulti(snapshot: CoordinatorSnapshot): MultiNext {
  const { state } = snapshot;
  if (state === null) return byItself('baton multi start');
  if (state.status === 'paused')
    return {
      command: 'baton multi approve',
      person: `The gate "${state.pending_gate?.gate}" asks a person.`,
    };
  if (state.status === 'blocked')
    return { command: 'baton multi resume', person: state.blocked_reason ?? 'A hook stopped the super-run.' };
  if (state.status === 'completed') return byItself('baton multi start');
  if (openDispatch(snapshot) !== undefined) return byItself('baton multi step');
  if (chooseDispatch(snapshot, state.phase).kind === 'dispatch') return byItself('baton multi step');
  const blockers = gateBlockers(snapshot, state);
  if (blockers.length === 0) return byItself('baton multi gate');
  return wayOn(snapshot, state, blockers);
}

/** A dispatch that its repository is still working on is resumed, not made twice. */
export function openDispatch({ history, repos }: CoordinatorSnapshot) {
  const last = history.findLast((row: LooseRecord) => row.type === 'turn_dispatched');
  if (last === undefined) return undefined;
  const repoId = String(last.repo_id);
  const repo = member(repos, repoId);
  const busy = repo?.status === 'active' && Object.keys(repo.active_turns).length > 0;
  return busy ? { repoId, workstreamId: String(last.workstream_id) } : undefined;
}

/** Past the first blocker that somebody can do something about; barriers follow from the repositories. */
function wayOn(
  { config, repos }: CoordinatorSnapshot,
  state: CoordinatorState,
  blockers: readonly GateBlocker[],
): MultiNext {
  const blocker = blockers.find(({ repo }) => repo !== undefined) ?? (blockers[0] as GateBlocker);
  const { code, message, repo: id } = blocker;
  const there = id === undefined ? '' : ` --dir ${config.repos[id]?.path ?? id}`;
  const repo = id === undefined ? undefined : member(repos, id);
  if (repo?.status === 'blocked') {
    const detail = repo.blocked_reason?.recovery.detail;
    return { command: `baton run resume${there}`, person: detail ? `${message} ${detail}` : message };
  }
  if (repo?.status === 'idle') return byItself(`baton run start${there}`);
  if (repo?.status === 'paused') return { command: `baton run approve${there}`, person: message };
  switch (code) {
    case 'repo_state_missing':
      return { command: `baton run init${there}`, person: message };
    case 'repo_run_id_mismatch':
      return {
        command: 'baton multi sync --adopt',
        person: `${message} Take the new run into the super-run?`,
      };
    case 'repo_active_turns':
    case 'repo_not_completion_ready':
      return byItself(`baton run step${there}`);
    default:
      return {
        command: 'baton multi status',
        person: `${message} Nothing in phase "${state.phase}" can change that: see agentxchain-multi.json.`,
      };
  }
}
