import type { Clock, Random } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { toHex } from '../../kernel/hex.ts';
import { type CallDeclaration, keyHandlingOf, type Operation } from '../operations/define.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import type { Invocation } from './dispatch.ts';
import { dispatchErrors } from './errors.ts';
import {
  extendLease,
  type IdempotencyUse,
  recallAnswer,
  releaseKey,
  rememberAnswer,
  reserveKey,
  type StoredAnswer,
  selectUsedKey,
  storeOutcome,
  takeOverKey,
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

export interface Idempotency {
  /** Undefined without a key, or where it is not the dispatcher's to use; throws where the operation takes none. */
  useOf(operation: Operation, invocation: Invocation): IdempotencyUse | undefined;
  /** Answers from the unit of work in which the change is made: both are there, or neither. */
  inUnit(uow: UnitOfWork, use: Keyed, work: () => Promise<StoredAnswer>): Promise<StoredAnswer>;
  /** Reserves the key, works outside any unit, and stores the outcome after. */
  outside(use: Keyed, work: () => Promise<StoredAnswer>): Promise<StoredAnswer>;
}

export interface Keyed {
  readonly operation: Operation & CallDeclaration;
  readonly use: IdempotencyUse;
}

const HEADER = 'idempotency-key';
const LONGEST_KEY = 255;
/** A running request renews its lease three times in this time; a process that died does not. */
const LEASE_MS = 30_000;

export function createIdempotency({ db, clock, random, hasher, payloads }: IdempotencyDeps): Idempotency {
  const leaseEnd = () => clock.now() + LEASE_MS * 1000;

  const sealed = ({ operation, use }: Keyed, answer: StoredAnswer): StoredAnswer =>
    operation.wire === 'cra' ? { ...answer, body: payloads.seal(answer.body, idOf(use)) } : answer;

  const replayed = ({ use }: Keyed, { status, headers, body }: StoredAnswer): StoredAnswer => ({
    status,
    headers: { ...headers, 'idempotent-replayed': 'true' },
    body: payloads.open(body, idOf(use)),
  });

  /** The first answer, or undefined once the key is ours to work under. */
  async function takeKey(uow: UnitOfWork, keyed: Keyed, holder: string): Promise<StoredAnswer | undefined> {
    const { operation, use } = keyed;
    const used = await selectUsedKey(uow, use);
    if (used?.answer) return replayed(keyed, used.answer);
    const reservation = { holder, leaseUntil: leaseEnd(), erases: operation.idempotency === 'erases' };
    if (!used) {
      await reserveKey(uow, use, reservation, clock.now());
      return undefined;
    }
    const brokeOff = used.leaseUntil <= clock.now();
    if (brokeOff && !isRepeatable(operation)) throw dispatchErrors.idempotency_outcome_unknown();
    if (!brokeOff || !(await takeOverKey(uow, use, used.holder, reservation))) throw inProgress();
    return undefined;
  }

  /** A refusal has taken no effect. Of anything else that went wrong nobody can say how far it came. */
  async function breakOff(uow: UnitOfWork, { operation, use }: Keyed, holder: string, thrown: unknown) {
    const refused = thrown instanceof BatonError && thrown.status < 500;
    if (refused || isRepeatable(operation)) await releaseKey(uow, use, holder);
    else await extendLease(uow, use, holder, 0);
  }

  return {
    useOf(operation, { idempotencyKey: key, principal, parts }) {
      if (key === undefined || operation.input.headers?.shape[HEADER]) return undefined;
      const handling = keyHandlingOf(operation);
      if (handling === 'refused') throw dispatchErrors.idempotency_refused();
      if (handling !== 'replayed') return undefined;
      if (key === '' || key.length > LONGEST_KEY) {
        throw dispatchErrors.invalid_input({
          message: `An idempotency key has 1 to ${LONGEST_KEY} characters.`,
          details: { part: 'headers', issues: [{ pointer: `/${HEADER}` }] },
          pointer: `/${HEADER}`,
        });
      }
      const headers = Object.keys(parts.headers).length > 0 ? [parts.headers] : [];
      const text = parts.document?.text ?? null;
      return {
        scope: `${principal.credential.kind}:${principal.credential.id}`,
        key,
        digest: hasher.hex(JSON.stringify([operation.name, parts.path, parts.query, text, ...headers])),
      };
    },

    async inUnit(uow, keyed, work) {
      const first = await recallAnswer(uow, keyed.use);
      if (first) return replayed(keyed, first);
      const answer = await work();
      await rememberAnswer(uow, keyed.use, sealed(keyed, answer), clock.now());
      return answer;
    },

    async outside(keyed, work) {
      const { use } = keyed;
      const holder = toHex(random.bytes(16));
      const first = await db.write((uow) => takeKey(uow, keyed, holder));
      if (first) return first;
      const renewal = setInterval(() => {
        void db.write((uow) => extendLease(uow, use, holder, leaseEnd())).catch(() => undefined);
      }, LEASE_MS / 3).unref();
      let answer: StoredAnswer;
      try {
        answer = await work();
      } catch (thrown) {
        clearInterval(renewal);
        await db.write((uow) => breakOff(uow, keyed, holder, thrown)).catch(() => undefined);
        throw thrown;
      }
      clearInterval(renewal);
      // It has been done, whether or not that can be stored: then a repetition is told that the outcome is unknown.
      await db
        .write((uow) => storeOutcome(uow, use, holder, { plain: answer, stored: sealed(keyed, answer) }))
        .catch(() => undefined);
      return answer;
    },
  };
}

function isRepeatable({ unit, idempotency }: CallDeclaration): boolean {
  return unit === 'read' || idempotency === 'repeatable' || idempotency === 'erases';
}

function inProgress(): BatonError {
  return dispatchErrors.idempotency_in_progress({ retryAfterSeconds: 1 });
}

function idOf({ scope, key }: IdempotencyUse): string {
  return `${scope} ${key}`;
}
