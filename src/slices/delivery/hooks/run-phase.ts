import type { Clock } from '../../../kernel/clock.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Hook } from '../config/config.ts';
import { callHttpHook, callProcessHook } from './call.ts';
import { guard, restoreTampered } from './guarded-files.ts';
import {
  type AuditEntry,
  auditHook,
  type PhaseVerdict,
  PROTECTED_FILES,
  phaseVerdict,
  skippedEntry,
  stopsPhase,
} from './rules.ts';

export interface HookPhase {
  readonly root: string;
  readonly phase: string;
  readonly hooks: readonly Hook[];
  readonly runId: string | null;
  readonly turnId: string | null;
  readonly payload: LooseRecord;
  /** More files that these hooks must not change, besides the usual three. */
  readonly alsoProtected?: readonly string[];
  readonly clock: Clock;
}

/** Runs a phase's hooks one after another. The first one that blocks or tampers ends the phase. */
export async function runHookPhase(run: HookPhase): Promise<PhaseVerdict> {
  const entries: AuditEntry[] = [];
  for (const [index, hook] of run.hooks.entries()) {
    const entry = await runOne(run, hook);
    entries.push(entry);
    if (!stopsPhase(entry)) continue;
    // Tampering ends the phase at once: later hooks are not even recorded as skipped.
    if (entry.orchestrator_action !== 'aborted_tamper') {
      entries.push(...run.hooks.slice(index + 1).map((later) => skippedEntry(later, contextOf(run))));
    }
    break;
  }
  return phaseVerdict(entries);
}

async function runOne(run: HookPhase, hook: Hook): Promise<AuditEntry> {
  const guarded = await guard(run.root, [...Object.keys(PROTECTED_FILES), ...(run.alsoProtected ?? [])]);
  const started = run.clock.now();
  const call = {
    hook,
    phase: run.phase,
    root: run.root,
    runId: run.runId,
    payload: run.payload,
    now: started,
  };
  const seen = await (hook.type === 'http' ? callHttpHook(call) : callProcessHook(call));
  const durationMs = Math.round((run.clock.now() - started) / 1000);
  const tampered = await restoreTampered(run.root, guarded);
  // A tampering hook that also timed out is recorded as tampering.
  const observation = { ...seen, timedOut: tampered.length === 0 && seen.timedOut, durationMs, tampered };
  return auditHook(hook, observation, contextOf(run));
}

function contextOf(run: HookPhase) {
  return { phase: run.phase, runId: run.runId, turnId: run.turnId, now: run.clock.now() };
}
