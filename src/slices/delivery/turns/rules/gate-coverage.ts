import { evaluatePhaseExit } from '../../gates/rules/evaluate.ts';
import { done, type Outcome, refuse } from '../../outcome.ts';
import { containedPath } from '../../path-rules.ts';
import type { TurnResult } from '../turn-result.ts';
import type { AcceptanceInput } from './judge.ts';

/**
 * A turn that asks to move on while the gate fails on files it never touched has not looked at the gate. It is
 * sent back; in planning, where the documents grow over several turns, only the request is dropped.
 */
export function coverGate(
  input: AcceptanceInput,
): Outcome<{ readonly result: TurnResult; readonly warnings: readonly string[] }> {
  const { result, state, config } = input;
  const requested = result.phase_transition_request ?? null;
  if (requested === null) return done({ result, warnings: [] });
  const decision = evaluatePhaseExit(config, state.phase, requested, {
    files: input.gateFiles,
    verificationStatus: result.verification.status,
    history: input.history,
  });
  const touched = new Set(result.files_changed.map((path) => containedPath(path)));
  const untouched = decision.files.filter((path) => !touched.has(path));
  if (decision.action !== 'gate_failed' || untouched.length === 0) return done({ result, warnings: [] });
  const message = `The gate "${decision.gate}" fails on files that this turn did not touch: ${untouched.join(', ')}.`;
  if (state.phase === 'planning') {
    return done({
      result: { ...result, phase_transition_request: null },
      warnings: [`${message} The request to move on was dropped.`],
    });
  }
  return refuse({
    type: 'gate_coverage',
    rule: 'accept.gate_coverage',
    field: 'phase_transition_request',
    message,
    next: decision.reasons[0] ?? 'Bring the files in order, or do not ask for the next phase.',
    details: { files: untouched, reasons: decision.reasons },
  });
}
