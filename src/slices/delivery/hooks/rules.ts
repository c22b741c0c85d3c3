import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Hook } from '../config/config.ts';
import { HOOK_NAME } from '../ids.ts';

export type OrchestratorAction =
  | 'continued'
  | 'warned'
  | 'downgraded_block_to_warn'
  | 'warned_failure'
  | 'warned_timeout'
  | 'warned_invalid_output'
  | 'blocked'
  | 'blocked_failure'
  | 'blocked_timeout'
  | 'blocked_invalid_output'
  | 'aborted_tamper'
  | 'skipped';

/** What happened when a hook ran. `output` is undefined if it did not print JSON. */
export interface HookObservation {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly failed: boolean;
  readonly output: unknown;
  readonly stderr: string;
  readonly durationMs: number;
  /** Tamper codes of the protected files that it changed; they are restored by then. */
  readonly tampered: readonly string[];
}

export interface HookContext {
  readonly phase: string;
  readonly runId: string | null;
  readonly turnId: string | null;
  readonly now: Micros;
}

export interface AuditEntry extends LooseRecord {
  readonly hook_name: string;
  readonly verdict: 'allow' | 'warn' | 'block' | null;
  readonly orchestrator_action: OrchestratorAction;
}

const STDERR_LIMIT = 4096;

/** Tampering outweighs everything else; then a timeout, a failure, invalid output, and only then the verdict. */
export function auditHook(hook: Hook, seen: HookObservation, context: HookContext): AuditEntry {
  const spoken = readVerdict(seen.output);
  const { action, verdict } = judge(hook, seen, spoken);
  return {
    timestamp: formatMillis(context.now),
    hook_phase: context.phase,
    hook_name: hook.name,
    hook_id: hook.name,
    transport: hook.type,
    run_id: context.runId,
    turn_id: context.turnId,
    duration_ms: seen.durationMs,
    verdict,
    message: spoken?.message ?? (seen.tampered.length > 0 ? `Tampered: ${seen.tampered.join(', ')}` : null),
    annotations: spoken?.annotations ?? [],
    exit_code: seen.exitCode,
    timed_out: seen.timedOut,
    stderr_excerpt: seen.stderr.slice(0, STDERR_LIMIT),
    orchestrator_action: action,
    ...(seen.tampered.length > 0 ? { tamper_codes: seen.tampered } : {}),
  };
}

function judge(
  hook: Hook,
  seen: HookObservation,
  spoken: HookVerdict | undefined,
): Pick<AuditEntry, 'verdict'> & { readonly action: OrchestratorAction } {
  if (seen.tampered.length > 0) return { action: 'aborted_tamper', verdict: null };
  const blocking = hook.mode === 'blocking';
  const fault = seen.timedOut
    ? 'timeout'
    : seen.failed
      ? 'failure'
      : spoken === undefined
        ? 'invalid_output'
        : undefined;
  if (fault !== undefined) {
    return blocking
      ? { action: `blocked_${fault}`, verdict: 'block' }
      : { action: `warned_${fault}`, verdict: 'warn' };
  }
  switch (spoken?.verdict) {
    case 'block':
      return blocking
        ? { action: 'blocked', verdict: 'block' }
        : { action: 'downgraded_block_to_warn', verdict: 'warn' };
    case 'warn':
      return { action: 'warned', verdict: 'warn' };
    default:
      return { action: 'continued', verdict: 'allow' };
  }
}

/** The record of a hook that did not run because an earlier one blocked. It has no transport: nothing was sent. */
export function skippedEntry(hook: Hook, context: HookContext): AuditEntry {
  return {
    timestamp: formatMillis(context.now),
    hook_phase: context.phase,
    hook_name: hook.name,
    hook_id: hook.name,
    run_id: context.runId,
    turn_id: context.turnId,
    duration_ms: 0,
    verdict: null,
    message: null,
    annotations: [],
    exit_code: null,
    timed_out: false,
    stderr_excerpt: '',
    orchestrator_action: 'skipped',
  };
}

export interface PhaseVerdict {
  /** The run may continue past this phase. */
  readonly ok: boolean;
  readonly blocked: boolean;
  readonly entries: readonly AuditEntry[];
}

export function stopsPhase(entry: AuditEntry): boolean {
  return entry.orchestrator_action.startsWith('blocked') || entry.orchestrator_action === 'aborted_tamper';
}

export function phaseVerdict(entries: readonly AuditEntry[]): PhaseVerdict {
  const stop = entries.find(stopsPhase);
  return {
    ok: stop === undefined,
    blocked: stop?.orchestrator_action.startsWith('blocked') ?? false,
    entries,
  };
}

export interface HookVerdict {
  readonly verdict: 'allow' | 'warn' | 'block';
  readonly message: string | null;
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

const MAX_ANNOTATIONS = 16;
const MAX_ANNOTATION_LENGTH = 1000;

/** A hook's verdict from its parsed output, or undefined if that is not a valid verdict. */
function readVerdict(value: unknown): HookVerdict | undefined {
  if (!isRecord(value)) return undefined;
  const { verdict, message, annotations } = value;
  if (verdict !== 'allow' && verdict !== 'warn' && verdict !== 'block') return undefined;
  if (message !== undefined && message !== null && !isString(message)) return undefined;
  if (annotations === undefined || annotations === null)
    return { verdict, message: message ?? null, annotations: [] };
  if (!Array.isArray(annotations) || annotations.length > MAX_ANNOTATIONS) return undefined;
  const valid = annotations.every(
    (item) =>
      isRecord(item) &&
      isString(item.key) &&
      HOOK_NAME.test(item.key) &&
      isString(item.value) &&
      item.value.length <= MAX_ANNOTATION_LENGTH,
  );
  return valid ? { verdict, message: message ?? null, annotations } : undefined;
}

/** Files that no hook may change, each with its tamper code. */
export const PROTECTED_FILES: Readonly<Record<string, string>> = {
  '.agentxchain/state.json': 'hook_state_tamper',
  '.agentxchain/history.jsonl': 'hook_history_tamper',
  '.agentxchain/decision-ledger.jsonl': 'hook_ledger_tamper',
};

/** Ours, for what the protocol has no code: any other governed file, the configuration too. */
const GOVERNED_TAMPER = 'hook_governed_tamper';
const BUNDLE_TAMPER = 'hook_bundle_tamper';
const BUNDLES = '.agentxchain/dispatch/';

export function tamperCode(path: string): string {
  return (
    (Object.hasOwn(PROTECTED_FILES, path) ? PROTECTED_FILES[path] : undefined) ??
    (path.startsWith(BUNDLES) ? BUNDLE_TAMPER : GOVERNED_TAMPER)
  );
}
