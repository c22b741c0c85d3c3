import type { Gathering, UnitOfWork } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { insertEvents, lastHashOf, lengthOf, type PendingEvent } from '../events/event-store.ts';
import { assignClaimed, assignNumbers, claimNumbers, type NumberClaim } from '../numbers/number-store.ts';
import type { Chain, ChainRef } from './chain.ts';
import { holdChain, holdLedgers, moveChains } from './chain-store.ts';

/** What one run of a unit has appended. */
export interface Buffer {
  /** Reads the chain and locks it until the unit ends. */
  hold(ref: ChainRef): Promise<void>;
  opened(chain: Chain): void;
  /** The events come from the head as it is now, in one go: appends that run side by side still follow each other. */
  extend(ref: ChainRef, next: (head: Chain) => { event: PendingEvent; ended: boolean }): PendingEvent;
  /** Leaves an event of a ledger to the commit, unless the unit appends to the same ledger again. */
  leave(sessionId: string, make: MakeEvent): void;
}

type MakeEvent = (head: Chain) => PendingEvent;

export interface Appending {
  readonly event: PendingEvent;
  /** The chain as the event leaves it. */
  readonly head: Chain;
}

/** An event that the commit makes: its chain is held only then, so that others wait for it as briefly as can be. */
interface Later {
  /** Whose ledger. */
  readonly sessionId: string;
  readonly make: MakeEvent;
  /** The unit has made it after all. */
  made: boolean;
}

/**
 * The events of a commit are numbered and written together, and each chain is moved once, however many units it passed
 * through: units never read events, and appending looks first at what is not written yet.
 */
export const appendings: Gathering<Appending | Later> = {
  async apply(uow, items) {
    if (uow.engine === 'sqlite') return writeAlone(uow, await withLater(uow, items));
    // The claim is asked for together with the chains that are still to be held, and behind them.
    const [all, claim] = await Promise.all([withLater(uow, items), claimNumbers(uow)]);
    await writeBesideOthers(uow, all, claim);
  },
  afterRecord: true,
};

const isAppending = (item: Appending | Later): item is Appending => 'event' in item;

/** The head of a chain that this unit, or one before it in the commit, has appended to. */
export function lastHead(uow: UnitOfWork, matches: (head: Chain) => boolean): Chain | undefined {
  const left = uow.lastLeft(appendings, (item) => isAppending(item) && matches(item.head));
  return left && isAppending(left) ? left.head : undefined;
}

/** Makes what was left to be made, in the order of the units; on a chain that a unit appended to itself, behind that. */
async function withLater(uow: UnitOfWork, items: readonly (Appending | Later)[]): Promise<Appending[]> {
  const heads = new Map<string, Chain>();
  for (const item of items) {
    if (isAppending(item) && item.head.kind === 'ledger') heads.set(item.head.sessionId, item.head);
  }
  const mixed = new Set(heads.keys());
  const wanted = new Set<string>();
  for (const item of items) {
    if (!isAppending(item) && !item.made && !mixed.has(item.sessionId)) wanted.add(item.sessionId);
  }
  for (const chain of await holdLedgers(uow, [...wanted])) heads.set(chain.sessionId, chain);
  const inOrder: Appending[] = [];
  const behind: Appending[] = [];
  for (const item of items) {
    if (isAppending(item)) {
      inOrder.push(item);
      continue;
    }
    if (item.made) continue;
    const held = heads.get(item.sessionId);
    if (held === undefined) throw chainNotFound({ sessionId: item.sessionId, kind: 'ledger' });
    const event = item.make(held);
    const head = extendedBy(held, event, false);
    heads.set(item.sessionId, head);
    (mixed.has(item.sessionId) ? behind : inOrder).push({ event, head });
  }
  return [...inOrder, ...behind];
}

function chainNotFound(ref: ChainRef): Error {
  return journalErrors.chain_not_found({ details: { session_id: ref.sessionId, kind: ref.kind } });
}

async function writeAlone(uow: UnitOfWork, items: readonly Appending[]): Promise<void> {
  const events = items.map(({ event }) => event);
  await moveHeads(uow, items);
  await insertEvents(uow, events, await assignNumbers(uow, events.map(stretchOf)));
}

async function writeBesideOthers(
  uow: UnitOfWork,
  items: readonly Appending[],
  claim: NumberClaim | undefined,
): Promise<void> {
  const events = items.map(({ event }) => event);
  const written =
    claim === undefined
      ? insertEvents(uow, events, [])
      : assignClaimed(uow, claim, events.map(stretchOf)).then((numbers) =>
          insertEvents(uow, events, numbers),
        );
  // The server is told of the events without waiting for what it says of the chains.
  await Promise.all([moveHeads(uow, items), written]);
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
  const later: Later[] = [];
  const keyOf = (ref: ChainRef) => `${ref.kind} ${ref.sessionId}`;

  async function read(ref: ChainRef): Promise<Chain> {
    const left = lastHead(uow, (head) => head.sessionId === ref.sessionId && head.kind === ref.kind);
    if (left) return left;
    const chain = await holdChain(uow, ref);
    if (chain) return chain;
    throw chainNotFound(ref);
  }

  /** What the unit has left to the commit of this ledger comes before what it appends now. */
  function makeLater(ref: ChainRef): void {
    if (ref.kind !== 'ledger') return;
    for (const item of later) {
      if (item.made || item.sessionId !== ref.sessionId) continue;
      item.made = true;
      append(ref, (head) => ({ event: item.make(head), ended: false }));
    }
  }

  function append(ref: ChainRef, next: Parameters<Buffer['extend']>[1]): PendingEvent {
    const held = chains.get(keyOf(ref));
    if (!held) throw new Error('append to a chain that is not held');
    const { event, ended } = next(held);
    const head = extendedBy(held, event, ended);
    chains.set(keyOf(ref), head);
    uow.gather(appendings, { event, head });
    return event;
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
      makeLater(ref);
      return append(ref, next);
    },
    leave(sessionId, make) {
      const item: Later = { sessionId, make, made: false };
      later.push(item);
      uow.gather(appendings, item);
    },
  };
}
