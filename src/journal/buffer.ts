import type { Gathering, UnitOfWork } from '../storage/database.ts';
import { CHAIN_COLUMNS, type Chain, type ChainRef, type ChainRow, chainOf } from './chain.ts';
import { journalErrors } from './errors.ts';
import { assignNumbers } from './numbering.ts';
import { insertEvents, type PendingEvent } from './pending-event.ts';
import { rowLock } from './row-lock.ts';

/** A chain as this unit leaves it, beside what it found. */
interface HeldChain {
  found: number;
  chain: Chain;
}

/** What one run of a unit has appended: heads are read once and moved once, when the unit ends. */
export interface Buffer {
  /** Reads the chain and keeps it still until the unit ends. */
  hold(ref: ChainRef): Promise<void>;
  opened(chain: Chain): void;
  /** The events come from the head as it is now, in one go: appends that run side by side still follow each other. */
  extend(ref: ChainRef, next: (head: Chain) => { event: PendingEvent; ended: boolean }): PendingEvent;
}

const KEY = Symbol('journal');

/** The rows of a commit are numbered and written together: nobody in a unit reads events, only the heads of chains. */
const newEvents: Gathering<PendingEvent> = {
  async apply(uow, events) {
    const projects = events.map((event) => event.projectId);
    await insertEvents(uow, events, uow.engine === 'sqlite' ? await assignNumbers(uow, projects) : []);
  },
};

export function bufferOf(uow: UnitOfWork): Buffer {
  return uow.memo(KEY, () => createBuffer(uow));
}

function createBuffer(uow: UnitOfWork): Buffer {
  const chains = new Map<string, HeldChain>();
  let events: PendingEvent[] = [];
  const keyOf = (ref: ChainRef) => `${ref.kind} ${ref.sessionId}`;

  async function flush(): Promise<void> {
    const written = events;
    events = [];
    for (const held of chains.values()) {
      const { found, chain } = held;
      if (chain.nextSequence === found) continue;
      const moved = await uow.run(
        `update chains set next_sequence = ?, head_hash = ?, last_time_us = ?, ended = ?
         where chain_id = ? and next_sequence = ?`,
        [chain.nextSequence, chain.headHash, chain.lastTime, chain.ended ? 1 : 0, chain.chainId, found],
      );
      if (moved !== 1) throw new Error(`chain ${chain.chainId} moved under a unit that held it`);
      held.found = chain.nextSequence;
    }
    for (const event of written) uow.gather(newEvents, event);
  }

  return {
    async hold(ref) {
      if (chains.has(keyOf(ref))) return;
      const row = await uow.get<ChainRow>(
        `select ${CHAIN_COLUMNS} from chains where session_id = ? and kind = ?${rowLock(uow.engine)}`,
        [ref.sessionId, ref.kind],
      );
      if (!row) {
        throw journalErrors.chain_not_found({ details: { session_id: ref.sessionId, kind: ref.kind } });
      }
      if (!chains.has(keyOf(ref))) chains.set(keyOf(ref), { found: row.next_sequence, chain: chainOf(row) });
    },
    opened(chain) {
      chains.set(keyOf(chain), { found: chain.nextSequence, chain });
    },
    extend(ref, next) {
      const held = chains.get(keyOf(ref));
      if (!held) throw new Error('append to a chain that is not held');
      const { event, ended } = next(held.chain);
      held.chain = {
        ...held.chain,
        nextSequence: event.sequence + 1,
        headHash: event.hash,
        lastTime: event.timeMicros,
        ended,
      };
      // A step of another room may append while the unit is ending: each first event after a flush asks for one.
      if (events.push(event) === 1) uow.beforeCommit(flush);
      return event;
    },
  };
}
