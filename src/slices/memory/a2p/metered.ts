import type { OperationInput } from '../../../spine/operations/define.ts';
import type { Answer, Call } from '../../../spine/operations/handler.ts';
import { type RequestKind, rateHeaders, tightest } from '../rate-limits.ts';
import type { Rates } from '../rates.ts';

export const VERSION = { 'a2p-version': '0.1' } as const;

export type Metered = <I extends OperationInput>(
  kind: RequestKind | undefined,
  work: (call: Call<I>) => Promise<Answer<unknown>>,
) => (call: Call<I>) => Promise<Answer<unknown>>;

/** Counts a request before it is looked at, and says on its answer how many are left. */
export function createMetered(rates: Rates): Metered {
  return (kind, work) => async (call) => {
    const taken = [
      ...(await rates.takeRequest(call.principal)),
      ...(kind === undefined ? [] : await rates.takeKind(call.principal, kind)),
    ];
    const { body, headers } = await work(call);
    return { body, headers: { ...headers, ...VERSION, ...rateHeaders(tightest(taken)) } };
  };
}
