import type { Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { dispatchErrors } from './errors.ts';

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, as it went out the first time. */
  readonly body: string;
}

export interface IdempotencyUse {
  /** The credential: two never share a key. */
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
}

/** Who runs a request outside a unit of work, and until when the key is its own. */
export interface Reservation {
  readonly holder: string;
  readonly leaseUntil: Micros;
}

/** With an answer, or with who runs the request, or did when it broke off. */
export type UsedKey = { readonly answer: StoredAnswer } | ({ readonly answer?: undefined } & Reservation);

/** Undefined for a new key; throws `idempotency_conflict` where the key belongs to another request. */
export async function selectUsedKey(uow: UnitOfWork, use: IdempotencyUse): Promise<UsedKey | undefined> {
  const row = await uow.get<{
    request_digest: string;
    status: number;
    headers: string;
    body: string;
    holder: string | null;
    lease_until_us: number | null;
  }>(
    `select request_digest, status, headers, body, holder, lease_until_us from idempotency
     where scope = ? and idempotency_key = ?`,
    [use.scope, use.key],
  );
  if (!row) return undefined;
  if (row.request_digest !== use.digest) throw dispatchErrors.idempotency_conflict();
  const { status, headers, body, holder, lease_until_us: leaseUntil } = row;
  if (holder !== null) return { holder, leaseUntil: leaseUntil ?? 0 };
  return { answer: { status, headers: JSON.parse(headers), body } };
}

export async function insertAnswer(
  uow: UnitOfWork,
  use: IdempotencyUse,
  answer: StoredAnswer,
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into idempotency (scope, idempotency_key, request_digest, status, headers, body, created_us)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [use.scope, use.key, use.digest, answer.status, JSON.stringify(answer.headers), answer.body, now],
  );
}

/** `erases`: keep the answer even if it names what was erased meanwhile, because this request erased it. */
export async function insertReservation(
  uow: UnitOfWork,
  use: IdempotencyUse,
  { holder, leaseUntil }: Reservation,
  erases: boolean,
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into idempotency (scope, idempotency_key, request_digest, status, headers, body, created_us,
       holder, lease_until_us, forgotten)
     values (?, ?, ?, 0, '{}', '', ?, ?, ?, ?)`,
    [use.scope, use.key, use.digest, now, holder, leaseUntil, erases ? null : ''],
  );
}

/** Renews a reservation, or takes it over from a request that broke off; false where another was faster. */
export async function updateReservation(
  uow: UnitOfWork,
  use: IdempotencyUse,
  from: string,
  { holder, leaseUntil }: Reservation,
): Promise<boolean> {
  const updated = await uow.run(
    `update idempotency set holder = ?, lease_until_us = ?
     where scope = ? and idempotency_key = ? and holder = ?`,
    [holder, leaseUntil, use.scope, use.key, from],
  );
  return updated > 0;
}

/** Stores the outcome, unless somebody took the key over or the answer names what was erased while it was made. */
export async function storeOutcome(
  uow: UnitOfWork,
  use: IdempotencyUse,
  holder: string,
  answer: StoredAnswer,
  /** The answer's body as it is kept: sealed, where it must be. */
  body: string,
): Promise<void> {
  const row = await uow.get<{ forgotten: string | null }>(
    'select forgotten from idempotency where scope = ? and idempotency_key = ? and holder = ?',
    [use.scope, use.key, holder],
  );
  if (!row) return;
  const forgotten = row.forgotten ?? '';
  const headers = JSON.stringify(answer.headers);
  const names = (text: string) => answer.body.includes(text) || headers.includes(text);
  if (forgotten.split('\n').filter(Boolean).some(names)) return releaseKey(uow, use, holder);
  const kept = await uow.run(
    `update idempotency set status = ?, headers = ?, body = ?, holder = null, lease_until_us = null, forgotten = null
     where scope = ? and idempotency_key = ? and holder = ? and coalesce(forgotten, '') = ?`,
    [answer.status, headers, body, use.scope, use.key, holder, forgotten],
  );
  // Something was erased just now: look again.
  if (kept === 0) await storeOutcome(uow, use, holder, answer, body);
}

/** The request took no effect: its key is as good as new. */
export async function releaseKey(uow: UnitOfWork, use: IdempotencyUse, holder: string): Promise<void> {
  await uow.run('delete from idempotency where scope = ? and idempotency_key = ? and holder = ?', [
    use.scope,
    use.key,
    holder,
  ]);
}

export async function hasAnswersBefore(reader: Reader, before: Micros): Promise<boolean> {
  const row = await reader.get('select 1 as found from idempotency where created_us < ? limit 1', [before]);
  return row !== undefined;
}

/** Keys are kept for a day: long enough for any retry, short enough that answers do not pile up. */
export async function forgetAnswersBefore(uow: UnitOfWork, before: Micros): Promise<number> {
  return uow.run('delete from idempotency where created_us < ?', [before]);
}

const TEXTS_AT_ONCE = 20;

/**
 * Forgets the answers that contain one of these texts, each with the digest of its request: whoever guesses what was
 * said could confirm it by the digest. Requests that still run learn first which texts their answers must not bring
 * back: one that is storing its answer is waited for.
 */
export async function forgetAnswersWith(uow: UnitOfWork, texts: readonly string[]): Promise<void> {
  await uow.run('update idempotency set forgotten = forgotten || ? where holder is not null', [
    `${texts.join('\n')}\n`,
  ]);
  for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
    const some = texts.slice(at, at + TEXTS_AT_ONCE).map(containing);
    const any = some.map(() => `body like ? escape '!' or headers like ? escape '!'`).join(' or ');
    await uow.run(
      `delete from idempotency where ${any}`,
      some.flatMap((pattern) => [pattern, pattern]),
    );
  }
}

function containing(text: string): string {
  return `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
}
