import type { UnitOfWork } from '../storage/database.ts';
import type { Migration } from '../storage/migration.ts';
import { dispatchErrors } from './errors.ts';

export const idempotencyMigrations: readonly Migration[] = [
  {
    name: 'dispatch/0001-idempotency',
    statements: (ddl) => [
      `create table idempotency (
        scope ${ddl.text} not null,
        idempotency_key ${ddl.text} not null,
        request_digest ${ddl.text} not null,
        status ${ddl.int} not null,
        headers ${ddl.text} not null,
        body ${ddl.text} not null,
        created_us ${ddl.int} not null,
        primary key (scope, idempotency_key)
      ) ${ddl.end}`,
      'create index idempotency_age on idempotency (created_us)',
    ],
  },
];

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, as it went out the first time. */
  readonly body: string;
}

export interface IdempotencyUse {
  /** Who and what: two credentials never share a key. */
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
}

export async function recallAnswer(uow: UnitOfWork, use: IdempotencyUse): Promise<StoredAnswer | undefined> {
  const row = await uow.get<{ request_digest: string; status: number; headers: string; body: string }>(
    'select request_digest, status, headers, body from idempotency where scope = ? and idempotency_key = ?',
    [use.scope, use.key],
  );
  if (!row) return undefined;
  if (row.request_digest !== use.digest) throw dispatchErrors.idempotency_conflict();
  return { status: row.status, headers: JSON.parse(row.headers), body: row.body };
}

export async function rememberAnswer(
  uow: UnitOfWork,
  use: IdempotencyUse,
  answer: StoredAnswer,
  nowMicros: number,
): Promise<void> {
  await uow.run(
    `insert into idempotency (scope, idempotency_key, request_digest, status, headers, body, created_us)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [use.scope, use.key, use.digest, answer.status, JSON.stringify(answer.headers), answer.body, nowMicros],
  );
}

/** Keys are kept for a day: long enough for any retry, short enough that answers do not pile up. */
export async function forgetAnswersBefore(uow: UnitOfWork, beforeMicros: number): Promise<number> {
  return uow.run('delete from idempotency where created_us < ?', [beforeMicros]);
}

const TEXTS_AT_ONCE = 20;

/**
 * Forgets the answers in which one of these texts stands, and with each the digest of its request: who has guessed what
 * was said could confirm it by the digest.
 */
export async function forgetAnswersWith(uow: UnitOfWork, texts: readonly string[]): Promise<void> {
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
