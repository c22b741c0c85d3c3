import type { Micros } from '../../../kernel/clock.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Denial } from '../execution/answer.ts';
import type { AppliedLimit } from './rules/applied-limits.ts';
import { judgeLimits } from './rules/judge-limits.ts';
import { insertCharge, selectUsage } from './store.ts';

/** Checks every limit, and charges all of them or none. */
export async function chargeLimits(
  uow: UnitOfWork,
  call: {
    readonly limits: readonly AppliedLimit[];
    readonly parameters: JsonObject;
    readonly executionId: string;
    readonly now: Micros;
    /** False where the Atlas only logs: the call is counted but not refused. */
    readonly enforce: boolean;
  },
): Promise<Denial | undefined> {
  const { limits, now, parameters, executionId } = call;
  const usage = await selectUsage(uow, limits, now);
  const verdict = judgeLimits(limits, usage, parameters, now, call.enforce);
  if (!verdict.ok) return verdict.over;
  for (const { limit, amount } of verdict.charges) {
    await insertCharge(uow, { limit, at: now, amount, executionId });
  }
  return undefined;
}
