import type { Gathering, UnitOfWork } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { insertEvents, lastHashOf, lengthOf, type PendingEvent } from '../events/event-store.ts';
import { assignNumbers } from '../numbers/number-store.ts';
import type { Chain, ChainRef } from './chain.ts';
import { holdChain, moveChains } from './chain-store.ts';

/** What one run of a unit has appended. */
export interface Buffer {
  /** Reads the chain and locks it until the unit ends. */
  hold(ref: ChainRef): Promise<void>;
  opened(chain: Chain): void;
  /** The events come from the head as it is now, in one go: appends that run side by side still follow each other. */
  extend(ref: ChainRef, next: (head: Chain) => { event: PendingEvent; ended: boolean }): PendingEvent;
}

export interface Appending {
  readonly event: PendingEvent;
  /** The chain as the event leaves it. */
  readonly head: Chain;
}

/**
 * The events of a commit are numbered and written together, and each chain is moved once, however many units it passed
 * through: units never read events, and appending looks first at what is not written yet.
 */
export const appendings: Gathering<Appending> = { apply: writeAppendings, afterRecord: true };

async function writeAppendings(uow: UnitOfWork, items: readonly Appending[]): Promise<void> {
  const events = items.map(({ event }) => event);
  if (uow.engine === 'postgres') {
    // The server is told of the events without waiting for what it says of the chains.
    await Promise.all([moveHeads(uow, items), insertEvents(uow, events, [])]);
    return;
  }
  await moveHeads(uow, items);
  await insertEvents(uow, events, await assignNumbers(uow, events.map(stretchOf)));
}

const stretchOf = (event: PendingEvent) => ({ projectId: event.projectId, length: lengthOf(event) });

/** Each from where the first unit found it to where the last left it. */
async function moveHeads(uow: UnitOfWork, items: readonly Appending[]): Promise<void> {
  const moves = new Map<string, { readonly from: number; to: Chain }>();
  for (const { event, head } of items) {
    const move = moves.get(head.chainId);
    if (move === undefined) moves.set(head.chainId, { from: event.sequence, to: head });
    else move.to = head;
  }
  await moveChains(uow, [...moves.values()]);
}

/** Member by member, which takes a fraction of the time that spreading does: it runs for every event. */
export function extendedBy(chain: Chain, event: PendingEvent, ended: boolean): Chain {
  const length = lengthOf(event);
  return {
    sessionId: chain.sessionId,
    kind: chain.kind,
    chainId: chain.chainId,
    projectId: chain.projectId,
    traceId: chain.traceId,
    nextSequence: event.sequence + length,
    headHash: lastHashOf(event),
    lastTime: event.timeMicros + length - 1,
    ended,
    prunedThrough: chain.prunedThrough,
  };
}

const KEY = Symbol('journal');

export function bufferOf(uow: UnitOfWork): Buffer {
  return uow.memo(KEY, () => createBuffer(uow));
}

function createBuffer(uow: UnitOfWork): Buffer {
  const chains = new Map<string, Chain>();
  const keyOf = (ref: ChainRef) => `${ref.kind} ${ref.sessionId}`;

  async function read(ref: ChainRef): Promise<Chain> {
    const left = uow.lastLeft(
      appendings,
      ({ head }) => head.sessionId === ref.sessionId && head.kind === ref.kind,
    );
    if (left) return left.head;
    const chain = await holdChain(uow, ref);
    if (chain) return chain;
    throw journalErrors.chain_not_found({ details: { session_id: ref.sessionId, kind: ref.kind } });
  }

  return {
    async hold(ref) {
      if (chains.has(keyOf(ref))) return;
      const chain = await read(ref);
      if (!chains.has(keyOf(ref))) chains.set(keyOf(ref), chain);
    },
    opened(chain) {
      chains.set(keyOf(chain), chain);
    },
    extend(ref, next) {
      const held = chains.get(keyOf(ref));
      if (!held) throw new Error('append to a chain that is not held');
      const { event, ended } = next(held);
      const head = extendedBy(held, event, ended);
      chains.set(keyOf(ref), head);
      uow.gather(appendings, { event, head });
      return event;
    },
  };
}
