import { asList, isDoc } from '../../../document.ts';
import type { Repair } from './normalize.ts';

/**
 * A missing status follows from the exit codes. A pass beside an unexpected non-zero exit is not excused here:
 * the verification stage refuses it.
 */
export const repairVerification: Repair = (draft, _context, note) => {
  if (!isDoc(draft.verification) || draft.verification.status !== undefined) return;
  const codes = [draft.verification, ...asList(draft.verification.machine_evidence)]
    .map((item) => (isDoc(item) ? item.exit_code : undefined))
    .filter((code) => Number.isInteger(code));
  if (codes.length === 0) return;
  const status = codes.every((code) => code === 0) ? 'pass' : 'fail';
  draft.verification = { ...draft.verification, status };
  note(`verification.status follows from the exit codes: "${status}".`);
};
