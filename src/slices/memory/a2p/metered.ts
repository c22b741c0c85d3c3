import type { z } from 'zod';
import type { OperationInput } from '../../../spine/operations/define.ts';
import type { Answer, Call } from '../../../spine/operations/handler.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { MemoryDeps } from '../ports.ts';
import { type Rate, type RequestKind, takeKind, takeRequest } from '../rate-limits.ts';
import type { idempotencyHeaders } from '../schema.ts';

export const VERSION = { 'a2p-version': '0.1' } as const;
const REPLAYED = { 'idempotent-replayed': 'true' } as const;

type Work<I extends OperationInput> = (call: Call<I>) => Promise<Answer<unknown>>;

/** Counts a request before it is looked at, and reports on the response how many are left. */
export function createMetered(deps: MemoryDeps) {
  return <I extends OperationInput>(kind: RequestKind | undefined, work: Work<I>): Work<I> =>
    async (call) => {
      const rates = [
        ...(await takeRequest(deps, call.principal)),
        ...(kind === undefined ? [] : await takeKind(deps, call.principal, kind)),
      ];
      const { body, headers } = await work(call);
      return { body, headers: { ...headers, ...VERSION, ...rateHeaders(rates) } };
    };
}

/** The rest of a write, to be done in its unit once nothing is wrong with the request itself. */
type Change = (uow: UnitOfWork) => Promise<Readonly<Record<string, unknown>>>;

/**
 * A write on a2p's wire. Its limits are counted in units of their own before it, so the dispatcher cannot give it a
 * unit; what the dispatcher does for an idempotency key is therefore done here, in the unit of the change.
 */
export function createMeteredWrite(deps: MemoryDeps) {
  const { db, hasher, once } = deps;
  const metered = createMetered(deps);
  return <I extends OperationInput & { readonly headers: typeof idempotencyHeaders }>(
    name: string,
    kind: RequestKind | undefined,
    prepare: (call: Call<I>) => Change,
  ): Work<I> =>
    metered<I>(kind, async (call) => {
      const change = prepare(call);
      const key = (call.input.headers as z.output<typeof idempotencyHeaders>)['idempotency-key'];
      if (key === undefined || once === undefined) return { body: await db.write(change) };
      const { kind: credential, id } = call.principal.credential;
      const request = JSON.stringify([name, call.input.path, call.document?.text ?? null]);
      const use = { scope: `${credential}:${id}`, key, digest: hasher.hex(request) };
      const { body, replayed } = await db.write((uow) => once(uow, use, () => change(uow)));
      return { body, ...(replayed && { headers: REPLAYED }) };
    });
}

/** a2p's headers for the limit that will refuse first. */
function rateHeaders(rates: readonly Rate[]): Readonly<Record<string, string>> {
  const [tightest] = [...rates].sort((a, b) => a.remaining - b.remaining);
  if (!tightest) return {};
  return {
    'x-ratelimit-limit': String(tightest.limit),
    'x-ratelimit-remaining': String(tightest.remaining),
    'x-ratelimit-reset': String(tightest.resetsAt),
  };
}
