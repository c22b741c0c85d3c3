import { type Doc, isNonBlank, isText } from '../document.ts';
import { DECISION_ID } from '../ids.ts';
import { done, type Outcome, refuse } from '../outcome.ts';
import type { LedgerRow } from '../records.ts';
import { DECISION_CATEGORIES } from '../turns/turn-result.ts';

/** Judges one decision against the ledger it would join. The ledger only ever grows. */
export function appendDecision(
  ledger: readonly LedgerRow[],
  entry: Doc,
  runId: string | null,
): Outcome<readonly LedgerRow[]> {
  const rule = 'ledger.append';
  if (!isText(entry.id) || !DECISION_ID.test(entry.id)) {
    return refuse({
      type: 'invalid_decision_id_format',
      rule,
      field: 'id',
      message: `${JSON.stringify(entry.id) ?? 'A missing id'} is no decision id.`,
      next: 'Use DEC- and digits.',
    });
  }
  if (!isNonBlank(entry.statement)) {
    return refuse({
      type: 'empty_required_field',
      rule,
      field: 'statement',
      message: `${entry.id} states nothing.`,
      next: 'Write the statement out.',
    });
  }
  if (!isText(entry.category) || !(DECISION_CATEGORIES as readonly string[]).includes(entry.category)) {
    return refuse({
      type: 'invalid_enum_value',
      rule,
      field: 'category',
      message: `${JSON.stringify(entry.category) ?? 'A missing category'} is no category.`,
      next: `Use one of: ${DECISION_CATEGORIES.join(', ')}.`,
      details: { valid_values: DECISION_CATEGORIES },
    });
  }
  if (ledger.some((row) => row.id === entry.id && isOfRun(row, runId))) {
    return refuse({
      type: 'duplicate_decision_id',
      rule,
      field: 'id',
      message: `${entry.id} is already decided in this run.`,
      next: `Use ${nextDecisionId(ledger)}.`,
      details: { duplicate_id: entry.id },
    });
  }
  return done([...ledger, entry]);
}

/** Rows without a run id come from runners that keep one ledger per run. */
function isOfRun(row: LedgerRow, runId: string | null): boolean {
  return row.run_id === undefined || row.run_id === null || row.run_id === runId;
}

export function decisionIds(ledger: readonly LedgerRow[], runId: string | null): ReadonlySet<string> {
  return new Set(
    ledger.filter((row) => isOfRun(row, runId)).flatMap((row) => (isText(row.id) ? [row.id] : [])),
  );
}

export function nextDecisionId(ledger: readonly LedgerRow[]): string {
  const numbers = ledger.map((row) =>
    isText(row.id) && DECISION_ID.test(row.id) ? Number(row.id.slice(4)) : 0,
  );
  return `DEC-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}
