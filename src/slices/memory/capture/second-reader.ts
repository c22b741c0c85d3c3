import type { Clock } from '../../../kernel/clock.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { ChatModel } from '../../../spine/outbound/chat-model.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { CaptureRequest, SaidTurn } from './capture.ts';
import type { Statement } from './rules/find-statements.ts';
import { MODEL_TASK, statementsOf, textForModel } from './rules/model-statements.ts';

/** A model that reads after the rules. What waits for it is in memory only: if the server stops, it is not read. */
export interface SecondReader {
  /** Reads these turns once the unit has committed, unless it did so before. */
  hear(uow: UnitOfWork, principal: Principal, request: CaptureRequest): void;
  close(): Promise<void>;
}

export interface FoundByModel {
  readonly principal: Principal;
  readonly request: CaptureRequest;
  readonly turn: SaidTurn;
  readonly statements: readonly Statement[];
}

export interface SecondReaderOptions {
  readonly model: ChatModel;
  readonly clock: Clock;
  /** Puts what was found before the person. */
  readonly found: (found: FoundByModel) => Promise<void>;
  /** A model that is away or answers nonsense costs what it would have found, and nothing else. */
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly principal: Principal;
  readonly request: CaptureRequest;
  readonly turn: SaidTurn;
  readonly text: string;
}

const MOST_WAITING = 64;
const MOST_REMEMBERED = 2_000;
/** Whoever may propose could otherwise spend what the model costs its owner. */
const MOST_AN_HOUR = 200;
const HOUR = 3_600_000_000;

export function createSecondReader({ model, clock, found, onError }: SecondReaderOptions): SecondReader {
  const waiting: Waiting[] = [];
  const heard = new Set<string>();
  const closing = new AbortController();
  let reading: Promise<void> | undefined;
  let hour = { begun: 0, asked: 0 };

  const mayAsk = (): boolean => {
    const now = clock.now();
    if (now - hour.begun >= HOUR) hour = { begun: now, asked: 0 };
    hour.asked += 1;
    return hour.asked <= MOST_AN_HOUR;
  };

  const readOn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (closing.signal.aborted) return;
      const { principal, request, turn, text } = next;
      try {
        const answer = await model.ask({ task: MODEL_TASK, text }, closing.signal);
        const statements = statementsOf(answer, turn.text);
        if (statements.length > 0) await found({ principal, request, turn, statements });
      } catch (error) {
        if (!closing.signal.aborted) onError(error);
      }
    }
    reading = undefined;
  };

  const add = (one: Waiting): void => {
    const key = JSON.stringify([one.principal.actor, one.request.session, one.turn.id]);
    if (heard.has(key) || waiting.length >= MOST_WAITING || closing.signal.aborted || !mayAsk()) return;
    if (heard.size >= MOST_REMEMBERED) heard.clear();
    heard.add(key);
    waiting.push(one);
    reading ??= readOn();
  };

  return {
    hear(uow, principal, request) {
      const turns = request.turns.flatMap((turn) => {
        const text = textForModel(turn.text);
        return text === undefined ? [] : [{ principal, request, turn, text }];
      });
      uow.afterCommit(() => turns.forEach(add));
    },
    async close() {
      closing.abort();
      await reading;
    },
  };
}
