import type { RuntimeType } from '../../config/config.ts';
import type { TurnResult } from '../turn-result.ts';

/**
 * How far a claimed pass can be believed. A person or a bare model attests; a program that ran commands and shows
 * no exit codes could have, and did not. Reports and the reproducibility policy read this; gates read the claim.
 */
export function normalizedVerification(result: TurnResult, runtime: RuntimeType | undefined): string {
  const { status, machine_evidence: evidence } = result.verification;
  if (status !== 'pass') return status;
  if (runtime === 'manual' || runtime === 'api_proxy') return 'attested_pass';
  return evidence === undefined || evidence.length === 0 ? 'not_reproducible' : 'pass';
}
