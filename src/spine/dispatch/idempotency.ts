import type { Clock, Random } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { toHex } from '../../kernel/hex.ts';
import { type CallDeclaration, keyHandlingOf, type Operation } from '../operations/define.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import type { Invocation } from './dispatch.ts';
import { dispatchErrors } from './errors.ts';
import {
  type IdempotencyUse,
  insertAnswer,
  insertReservation,
  releaseKey,
  type StoredAnswer,
  selectUsedKey,
  storeOutcome,
  updateReservation,
} from './idempotency-store.ts';

/** How an answer stands in its row. `open` hands back what was never sealed. */
export interface AnswerCodec {
  seal(text: string, id: string): string;
  open(stored: string, id: string): string;
}

export interface IdempotencyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** Seals the answers of governance, which promises to keep requests and results sealed. */
  readonly payloads: AnswerCodec;
}

export interface KeyedRequest extends IdempotencyUse {
  readonly operation: CallDeclaration;
}

export interface Idempotency {
  /** Undefined without a key, or where it is not the dispatcher's to use; throws where the operation takes none. */
  keyed(operation: Operation & CallDeclaration, invocation: Invocation): KeyedRequest | undefined;
  /** Answers from the unit of work in which the change is made: both are there, or neither. */
  inUnit(uow: UnitOfWork, request: KeyedRequest, work: () => Promise<StoredAnswer>): Promise<StoredAnswer>;
  /** Reserves the key, works outside any unit, and stores the outcome after. */
  outside(request: KeyedRequest, work: () => Promise<StoredAnswer>): Promise<StoredAnswer>;
}

const LONGEST_KEY = 255;
/** A running request renews its lease three times in this time; a process that died does not. */
const LEASE_MS = 30_000;

export function createIdempotency({ db, clock, random, hasher, payloads }: IdempotencyDeps): Idempotency {
  const leaseEnd = () => clock.now() + LEASE_MS * 1000;

  const sealed = (request: KeyedRequest, answer: StoredAnswer): StoredAnswer =>
    request.operation.wire === 'cra'
      ? { ...answer, body: payloads.seal(answer.body, idOf(request)) }
      : answer;

  const replayed = (request: KeyedRequest, { status, headers, body }: StoredAnswer): StoredAnswer => ({
    status,
    headers: { ...headers, 'idempotent-replayed': 'true' },
    body: payloads.open(body, idOf(request)),
  });

  /** The first answer, or undefined once the key is ours to work under. */
  async function takeKey(uow: UnitOfWork, request: KeyedRequest, holder: string) {
    const used = await selectUsedKey(uow, request);
    if (used?.answer) return replayed(request, used.answer);
    const reservation = { holder, leaseUntil: leaseEnd() };
    if (!used) {
      const erases = request.operation.idempotency === 'erases';
      await insertReservation(uow, request, reservation, erases, clock.now());
      return undefined;
    }
    const brokeOff = used.leaseUntil <= clock.now();
    if (brokeOff && !isRepeatable(request)) throw dispatchErrors.idempotency_outcome_unknown();
    if (!brokeOff || !(await updateReservation(uow, request, used.holder, reservation))) throw inProgress();
    return undefined;
  }

  /** A refusal has taken no effect. Of anything else that went wrong nobody can say how far it came. */
  async function breakOff(uow: UnitOfWork, request: KeyedRequest, holder: string, thrown: unknown) {
    const refused = thrown instanceof BatonError && thrown.status < 500;
    if (refused || isRepeatable(request)) await releaseKey(uow, request, holder);
    else await updateReservation(uow, request, holder, { holder, leaseUntil: 0 });
  }

  return {
    keyed(operation, { idempotencyKey: key, principal, parts }) {
      const handling = key === undefined ? 'ignored' : keyHandlingOf(operation);
      if (handling === 'refused') throw dispatchErrors.idempotency_refused();
      if (key === undefined || handling !== 'replayed') return undefined;
      if (key === '' || key.length > LONGEST_KEY) {
        throw dispatchErrors.invalid_input({
          message: `An idempotency key has 1 to ${LONGEST_KEY} characters.`,
          details: { part: 'headers', issues: [{ pointer: '/idempotency-key' }] },
          pointer: '/idempotency-key',
        });
      }
      const headers = Object.keys(parts.headers).length > 0 ? [parts.headers] : [];
      const text = parts.document?.text ?? null;
      return {
        operation,
        scope: `${principal.credential.kind}:${principal.credential.id}`,
        key,
        digest: hasher.hex(JSON.stringify([operation.name, parts.path, parts.query, text, ...headers])),
      };
    },

    async inUnit(uow, request, work) {
      const used = await selectUsedKey(uow, request);
      if (used?.answer) return replayed(request, used.answer);
      if (used) throw inProgress();
      const answer = await work();
      await insertAnswer(uow, request, sealed(request, answer), clock.now());
      return answer;
    },

    async outside(request, work) {
      const holder = toHex(random.bytes(16));
      const first = await db.write((uow) => takeKey(uow, request, holder));
      if (first) return first;
      const renew = (uow: UnitOfWork) =>
        updateReservation(uow, request, holder, { holder, leaseUntil: leaseEnd() });
      // What cannot be written here changes no outcome: a repetition is then told that the outcome is unknown.
      const tryWrite = (change: (uow: UnitOfWork) => Promise<unknown>) =>
        db.write(change).catch(() => undefined);
      const renewal = setInterval(() => void tryWrite(renew), LEASE_MS / 3).unref();
      try {
        const answer = await work().finally(() => clearInterval(renewal));
        await tryWrite((uow) => storeOutcome(uow, request, holder, answer, sealed(request, answer).body));
        return answer;
      } catch (thrown) {
        await tryWrite((uow) => breakOff(uow, request, holder, thrown));
        throw thrown;
      }
    },
  };
}

function isRepeatable({ operation: { unit, idempotency } }: KeyedRequest): boolean {
  return unit === 'read' || idempotency === 'repeatable' || idempotency === 'erases';
}

function inProgress(): BatonError {
  return dispatchErrors.idempotency_in_progress({ retryAfterSeconds: 1 });
}

function idOf({ scope, key }: IdempotencyUse): string {
  return `${scope} ${key}`;
}
