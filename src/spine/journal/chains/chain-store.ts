import type { Micros } from '../../../kernel/clock.ts';
import { GENESIS_HASH } from '../../../kernel/trace/event.ts';
import type { ChainKind } from '../../../kernel/trace/event-types.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { rowLock } from '../../storage/sql-text.ts';
import { expandRuns, RUN_COLUMNS, type RunColumns } from '../events/event-run.ts';
import type { Chain, ChainRef } from './chain.ts';
import type { Skeleton } from './pruning-record.ts';

export interface ChainRow {
  readonly chain_id: string;
  readonly session_id: string;
  readonly project_id: string;
  readonly kind: ChainKind;
  readonly trace_id: string;
  readonly next_sequence: number;
  readonly head_hash: string;
  readonly last_time_us: number;
  readonly ended: number;
  readonly pruned_through: number;
  /** The event that put the dropping on record. */
  readonly pruned_by: string | null;
}

const COLUMNS =
  'chain_id, session_id, project_id, kind, trace_id, next_sequence, head_hash, last_time_us, ended, pruned_through, pruned_by';

function chainOf(row: ChainRow): Chain {
  return {
    chainId: row.chain_id,
    sessionId: row.session_id,
    projectId: row.project_id,
    kind: row.kind,
    traceId: row.trace_id,
    nextSequence: row.next_sequence,
    headHash: row.head_hash,
    lastTime: row.last_time_us,
    ended: row.ended === 1,
    prunedThrough: row.pruned_through,
  };
}

/** Chains that have no events yet. */
export async function insertChains(uow: UnitOfWork, ...chains: readonly Chain[]): Promise<void> {
  await uow.run(
    `insert into chains (chain_id, session_id, project_id, kind, trace_id, head_hash,
       next_sequence, last_time_us, ended, pruned_through)
     values ${chains.map(() => '(?, ?, ?, ?, ?, ?, 0, 0, 0, -1)').join(', ')}`,
    chains.flatMap((chain) => [
      chain.chainId,
      chain.sessionId,
      chain.projectId,
      chain.kind,
      chain.traceId,
      chain.headHash,
    ]),
  );
}

export async function findChain(reader: Reader, ref: ChainRef): Promise<Chain | undefined> {
  const row = await reader.get<ChainRow>(`select ${COLUMNS} from chains where session_id = ? and kind = ?`, [
    ref.sessionId,
    ref.kind,
  ]);
  return row && chainOf(row);
}

/** The chain, locked until the unit ends. */
export async function holdChain(uow: UnitOfWork, ref: ChainRef): Promise<Chain | undefined> {
  const row = await uow.get<ChainRow>(
    `select ${COLUMNS} from chains where session_id = ? and kind = ?${rowLock(uow.engine)}`,
    [ref.sessionId, ref.kind],
  );
  return row && chainOf(row);
}

/** Ledgers of sessions, locked until the unit ends, always in the same order. */
export async function holdLedgers(uow: UnitOfWork, sessionIds: readonly string[]): Promise<Chain[]> {
  if (sessionIds.length === 0) return [];
  const among =
    uow.engine === 'sqlite'
      ? 'in (select value from json_each(?))'
      : '= any(array(select json_array_elements_text(cast(? as json))))';
  const rows = await uow.all<ChainRow>(
    `select ${COLUMNS} from chains where session_id ${among} and kind = 'ledger'
     order by chain_id${rowLock(uow.engine)}`,
    [JSON.stringify(sessionIds)],
  );
  return rows.map(chainOf);
}

const STATE_CHAIN = `select ${COLUMNS.split(', ')
  .map((column) => `c.${column}`)
  .join(', ')} from state_chains s join chains c on c.chain_id = s.chain_id`;

/**
 * For each project a chain for what a commit changed in it, that no other commit is using: locked until this one ends.
 * On PostgreSQL there come to be as many as there were commits at once. A project whose chains are all in use has none.
 */
export async function holdStateChains(uow: UnitOfWork, projectIds: readonly string[]): Promise<Chain[]> {
  if (uow.engine === 'postgres') {
    const rows = await uow.all<ChainRow>(
      `select free.* from json_array_elements_text(cast(? as json)) as wanted (project_id)
       cross join lateral (
         ${STATE_CHAIN} where s.project_id = wanted.project_id order by s.lane limit 1 for update of c skip locked
       ) as free`,
      [JSON.stringify(projectIds)],
    );
    return rows.map(chainOf);
  }
  const chains: Chain[] = [];
  for (const projectId of projectIds) {
    const row = await uow.get<ChainRow>(`${STATE_CHAIN} where s.project_id = ? order by s.lane limit 1`, [
      projectId,
    ]);
    if (row) chains.push(chainOf(row));
  }
  return chains;
}

/** Fails if another commit takes the same lane at the same time; running the unit again finds the next. */
export async function insertStateChain(uow: UnitOfWork, chain: Chain): Promise<void> {
  await insertChains(uow, chain);
  await uow.run(
    `insert into state_chains (project_id, lane, chain_id)
     select ?, coalesce(max(lane), -1) + 1, ? from state_chains where project_id = ?`,
    [chain.projectId, chain.chainId, chain.projectId],
  );
}

/** `from` is the sequence at which the unit found the chain: another one means that the chain was not locked. */
export interface ChainMove {
  readonly from: number;
  readonly to: Chain;
}

/** PostgreSQL is asked once: each time is a way to the server and back. */
export async function moveChains(uow: UnitOfWork, moves: readonly ChainMove[]): Promise<void> {
  if (uow.engine === 'sqlite' || moves.length === 1) {
    for (const move of moves) await moveChain(uow, move);
    return;
  }
  if (moves.length === 0) return;
  const moved = await uow.run(
    `update chains set next_sequence = given.next_sequence, head_hash = given.head_hash,
       last_time_us = given.last_time_us, ended = given.ended
     from json_to_recordset(cast(? as json)) as given (next_sequence bigint, head_hash text, last_time_us bigint,
       ended bigint, chain_id text, was_at bigint)
     where chains.chain_id = given.chain_id and chains.next_sequence = given.was_at`,
    [JSON.stringify(moves.map(recordOf))],
  );
  if (moved !== moves.length) throw new Error('a chain moved under a unit that held it');
}

const recordOf = ({ from, to }: ChainMove) => ({
  next_sequence: to.nextSequence,
  head_hash: to.headHash,
  last_time_us: to.lastTime,
  ended: to.ended ? 1 : 0,
  chain_id: to.chainId,
  was_at: from,
});

async function moveChain(uow: UnitOfWork, move: ChainMove): Promise<void> {
  const moved = await uow.run(
    `update chains set next_sequence = ?, head_hash = ?, last_time_us = ?, ended = ?
     where chain_id = ? and next_sequence = ?`,
    valuesOf(move),
  );
  if (moved !== 1) throw new Error(`chain ${move.to.chainId} moved under a unit that held it`);
}

function valuesOf({ from, to }: ChainMove): SqlValue[] {
  return [to.nextSequence, to.headHash, to.lastTime, to.ended ? 1 : 0, to.chainId, from];
}

const CHAINS_AT_ONCE = 500;

export async function selectChains(reader: Reader, chainIds: readonly string[]): Promise<ChainRow[]> {
  const found: ChainRow[] = [];
  for (let start = 0; start < chainIds.length; start += CHAINS_AT_ONCE) {
    const some = chainIds.slice(start, start + CHAINS_AT_ONCE);
    const marks = some.map(() => '?').join(', ');
    found.push(
      ...(await reader.all<ChainRow>(`select ${COLUMNS} from chains where chain_id in (${marks})`, some)),
    );
  }
  return found;
}

export async function countChains(reader: Reader): Promise<number> {
  return (await reader.get<{ n: number }>('select count(*) as n from chains'))?.n ?? 0;
}

const MOST_NAMED = 10_000;

/** Chains that should have events and have none. */
export function selectEmptiedChains(
  reader: Reader,
): Promise<{ readonly chain_id: string; readonly next_sequence: number }[]> {
  return reader.all(
    `select chain_id, next_sequence from chains
     where next_sequence > 0 and not exists (select 1 from events where events.chain_id = chains.chain_id)
     order by chain_id limit ${MOST_NAMED}`,
  );
}

/** Chains without events that are not as they were opened. */
export function selectTouchedChains(reader: Reader): Promise<{ readonly chain_id: string }[]> {
  return reader.all(
    `select chain_id from chains
     where next_sequence <= 0
       and (next_sequence < 0 or head_hash <> '${GENESIS_HASH}' or last_time_us <> 0 or ended <> 0 or pruned_through <> -1
            or pruned_by is not null)
     order by chain_id limit ${MOST_NAMED}`,
  );
}

/**
 * Chains that do not stand as they were opened: a session's trace, which has the id of the session, and its ledger, of the
 * same project and trace; or a ledger that is no session's, whose own id stands for one.
 */
export function selectUnpairedChains(reader: Reader): Promise<{ readonly chain_id: string }[]> {
  return reader.all(
    `select one.chain_id from chains one
     left join chains other on other.session_id = one.session_id and other.kind <> one.kind
     where (other.chain_id is null and (one.kind = 'trace' or one.chain_id <> one.session_id))
        or (other.chain_id is not null and (one.project_id <> other.project_id or one.trace_id <> other.trace_id))
        or (one.kind = 'trace' and one.chain_id <> one.session_id)
        or one.kind not in ('trace', 'ledger')
     order by one.chain_id limit ${MOST_NAMED}`,
  );
}

export interface PrunableSession {
  readonly session_id: string;
  readonly project_id: string;
}

/** Sessions that ended, and were last written to, before the instant, and still have payloads. */
export function selectPrunableSessions(
  reader: Reader,
  endedBefore: Micros,
  limit: number,
): Promise<PrunableSession[]> {
  return reader.all(
    `select trace.session_id, trace.project_id from chains trace
     join chains ledger on ledger.session_id = trace.session_id and ledger.kind = 'ledger'
     where trace.kind = 'trace' and trace.ended = 1 and trace.last_time_us < ? and ledger.last_time_us < ?
       and (trace.pruned_through < trace.next_sequence - 1 or ledger.pruned_through < ledger.next_sequence - 1)
     order by trace.last_time_us limit ?`,
    [endedBefore, endedBefore, limit],
  );
}

export function selectSessionChains(reader: Reader, sessionId: string): Promise<ChainRow[]> {
  return reader.all(`select ${COLUMNS} from chains where session_id = ? order by kind`, [sessionId]);
}

/** Chains whose payloads an earlier version dropped, which left no record of it. */
export function selectUnrecordedPrunings(reader: Reader, limit: number): Promise<ChainRow[]> {
  return reader.all(
    `select ${COLUMNS} from chains where pruned_through >= 0 and pruned_by is null order by chain_id limit ?`,
    [limit],
  );
}

/** What is left of the events of a chain, in order. */
export async function selectSkeletons(
  reader: Reader,
  chainId: string,
  { after, through }: { readonly after: number; readonly through: number },
  /** Of rows: events are read whole rows at a time. */
  limit: number,
): Promise<readonly Skeleton[]> {
  const rows = await reader.all<Skeleton & RunColumns & { readonly time_us: number }>(
    `select event_hash, previous_event_hash, trace_id, event_id, span_id, timestamp, time_us, parent_span_id, sequence,
       event_type, ${RUN_COLUMNS}
     from events where chain_id = ? and sequence > ? and sequence <= ? order by sequence limit ?`,
    [chainId, after, through, limit],
  );
  return expandRuns(rows);
}

export async function recordPruning(uow: UnitOfWork, chainId: string, eventId: string): Promise<void> {
  await uow.run('update chains set pruned_by = ? where chain_id = ?', [eventId, chainId]);
}

/** Locks both chains of the session, too. */
export async function markPruned(uow: UnitOfWork, sessionId: string): Promise<void> {
  await uow.run('update chains set pruned_through = next_sequence - 1 where session_id = ?', [sessionId]);
}
