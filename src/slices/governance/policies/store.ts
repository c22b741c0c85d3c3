import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { AppliedLimit, Usage } from './rules/applied-limits.ts';
import type { Charge } from './rules/budget.ts';
import { type Decimal, decimalOf, formatDecimal, ZERO } from './rules/decimal.ts';

/** The charges that still count against these limits. */
export async function selectUsage(
  reader: Reader,
  limits: readonly AppliedLimit[],
  now: Micros,
): Promise<Usage> {
  const usage = new Map<string, readonly Charge[]>();
  for (const { key, rule } of limits) {
    if (usage.has(key)) continue;
    const since = rule.windowSeconds === undefined ? -1 : now - rule.windowSeconds * 1_000_000;
    const rows = await reader.all<{ at_us: number; amount: string }>(
      'select at_us, amount from governance_charges where limit_key = ? and at_us > ? order by at_us',
      [key, since],
    );
    usage.set(
      key,
      rows.map((row) => ({ at: row.at_us, amount: decimalOf(row.amount) ?? ZERO })),
    );
  }
  return usage;
}

export async function insertCharge(
  uow: UnitOfWork,
  charge: {
    readonly limit: AppliedLimit;
    readonly at: Micros;
    readonly amount: Decimal;
    readonly executionId: string;
  },
): Promise<void> {
  const { limit, at } = charge;
  if (limit.rule.windowSeconds !== undefined) {
    await uow.run('delete from governance_charges where limit_key = ? and at_us <= ?', [
      limit.key,
      at - limit.rule.windowSeconds * 1_000_000,
    ]);
  }
  const refundable = limit.kind === 'budget' && limit.rule.refundable;
  await uow.run(
    `insert into governance_charges (limit_key, at_us, amount, execution_id, refundable) values (?, ?, ?, ?, ?)`,
    [limit.key, at, formatDecimal(charge.amount), charge.executionId, refundable ? 1 : 0],
  );
}

export async function refundExecution(uow: UnitOfWork, executionId: string): Promise<void> {
  await uow.run('delete from governance_charges where execution_id = ? and refundable = 1', [executionId]);
}
