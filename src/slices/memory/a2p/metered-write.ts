import type { z } from 'zod';
import type { OperationInput } from '../../../spine/operations/define.ts';
import type { Answer, Call } from '../../../spine/operations/handler.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { MemoryDeps } from '../ports.ts';
import type { RequestKind } from '../rate-limits.ts';
import type { Metered } from './metered.ts';
import type { idempotencyHeaders } from './schema.ts';

type Keyed = OperationInput & { readonly headers: typeof idempotencyHeaders };

/** What is left to do in the unit, once it is known that nothing is wrong with the request itself. */
type Change = (uow: UnitOfWork) => Promise<Readonly<Record<string, unknown>>>;

const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/**
 * A change on a2p's wire. Limits are counted in units of their own, before it, so that it cannot be a unit of the
 * dispatcher's; what that does for an idempotency key is done here, in the unit of the change.
 */
export function createMeteredWrite({ db, hasher, once }: MemoryDeps, metered: Metered) {
  return <I extends Keyed>(
    name: string,
    kind: RequestKind | undefined,
    prepare: (call: Call<I>) => Change,
  ): ((call: Call<I>) => Promise<Answer<unknown>>) =>
    metered<I>(kind, async (call) => {
      const change = prepare(call);
      const key = (call.input.headers as z.output<typeof idempotencyHeaders>)['idempotency-key'];
      if (key === undefined || once === undefined) return { body: await db.write(change) };
      const { kind: known, id } = call.principal.credential;
      const request = JSON.stringify([name, call.input.path, call.document?.text ?? null]);
      const use = { scope: `${known}:${id}`, key, digest: hasher.hex(request) };
      const { body, replayed } = await db.write((uow) => once(uow, use, () => change(uow)));
      return { body, ...(replayed && { headers: REPLAYED }) };
    });
}
