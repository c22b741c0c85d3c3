import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { MemoryType } from '../categories.ts';
import type { ProposalKind, ProposalStatus } from './rules.ts';

export interface ProposalRow {
  readonly proposal_id: string;
  readonly profile_did: string;
  readonly agent_did: string;
  readonly kind: ProposalKind;
  readonly type: MemoryType;
  readonly category: string | null;
  readonly confidence: number;
  readonly target_memory_id: string | null;
  readonly status: ProposalStatus;
  readonly proposed_at: string;
  readonly proposed_us: number;
  readonly expires_at: string;
  readonly expires_us: number;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly created_memory_id: string | null;
  /** Of the content, under the profile's key: identifies the same proposal again, and later the declined one. */
  readonly fingerprint: string;
  readonly item_id: string | null;
  /** Proposals with the same one are shown on one card of the inbox, and decided there one by one or at once. */
  readonly batch_id: string | null;
  readonly automatic: number;
}

const NAMES = [
  'proposal_id',
  'profile_did',
  'agent_did',
  'kind',
  'type',
  'category',
  'confidence',
  'target_memory_id',
  'status',
  'proposed_at',
  'proposed_us',
  'expires_at',
  'expires_us',
  'resolved_at',
  'resolved_by',
  'created_memory_id',
  'fingerprint',
  'item_id',
  'batch_id',
  'automatic',
] as const;
const COLUMNS = NAMES.join(', ');

export async function insertProposal(uow: UnitOfWork, row: ProposalRow): Promise<void> {
  await uow.run(
    `insert into memory_proposals (${COLUMNS}) values (${NAMES.map(() => '?').join(', ')})`,
    NAMES.map((name) => row[name]),
  );
}

export async function selectProposal(reader: Reader, proposalId: string): Promise<ProposalRow | undefined> {
  return reader.get<ProposalRow>(`select ${COLUMNS} from memory_proposals where proposal_id = ?`, [
    proposalId,
  ]);
}

export interface ProposalFilter {
  readonly agentDid?: string | undefined;
  readonly statuses?: readonly ProposalStatus[] | undefined;
  readonly memoryId?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly batchId?: string | undefined;
  readonly limit?: number;
  readonly offset?: number;
  readonly now: number;
}

/** A pending proposal past its end counts as expired here too. */
export async function selectProposals(
  reader: Reader,
  did: string,
  filter: ProposalFilter,
): Promise<ProposalRow[]> {
  const where = ['profile_did = ?'];
  const params: SqlValue[] = [did];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.agentDid !== undefined) add('agent_did = ?', filter.agentDid);
  if (filter.memoryId !== undefined)
    add('(created_memory_id = ? or target_memory_id = ?)', filter.memoryId, filter.memoryId);
  if (filter.fingerprint !== undefined) add('fingerprint = ?', filter.fingerprint);
  if (filter.batchId !== undefined) add('batch_id = ?', filter.batchId);
  if (filter.statuses) {
    const parts = filter.statuses.map((status) => {
      params.push(status);
      if (status === 'pending') params.push(filter.now);
      if (status === 'expired') params.push(filter.now);
      if (status === 'pending') return '(status = ? and expires_us > ?)';
      return status === 'expired' ? "(status = ? or (status = 'pending' and expires_us <= ?))" : 'status = ?';
    });
    where.push(`(${parts.join(' or ')})`);
  }
  return reader.all<ProposalRow>(
    `select ${COLUMNS} from memory_proposals where ${where.join(' and ')} order by seq limit ? offset ?`,
    [...params, filter.limit ?? 1000, filter.offset ?? 0],
  );
}

/** All of a batch, whatever has become of them. */
export async function selectBatchRows(reader: Reader, batchId: string): Promise<ProposalRow[]> {
  return reader.all<ProposalRow>(`select ${COLUMNS} from memory_proposals where batch_id = ? order by seq`, [
    batchId,
  ]);
}

/** Where the next proposal of this agent that somebody was overheard saying belongs; undefined if nothing waits. */
export async function selectOpenBatch(
  reader: Reader,
  did: string,
  agentDid: string,
  now: number,
): Promise<string | undefined> {
  const row = await reader.get<{ batch_id: string }>(
    `select batch_id from memory_proposals where profile_did = ? and agent_did = ? and status = 'pending'
       and batch_id is not null and expires_us > ? order by seq desc limit 1`,
    [did, agentDid, now],
  );
  return row?.batch_id;
}

export async function countProposals(
  reader: Reader,
  did: string,
  agentDid: string,
  since: number,
): Promise<{ readonly made: number; readonly first: number }> {
  const row = await reader.get<{ made: number; first: number | null }>(
    `select count(*) as made, min(proposed_us) as first from memory_proposals
     where profile_did = ? and agent_did = ? and proposed_us > ?`,
    [did, agentDid, since],
  );
  return { made: Number(row?.made ?? 0), first: Number(row?.first ?? 0) };
}

export async function countAutomatic(reader: Reader, did: string, since: number): Promise<number> {
  const row = await reader.get<{ found: number }>(
    'select count(*) as found from memory_proposals where profile_did = ? and automatic = 1 and proposed_us > ?',
    [did, since],
  );
  return Number(row?.found ?? 0);
}

export async function resolveProposal(
  uow: UnitOfWork,
  proposalId: string,
  to: { status: ProposalStatus; at: string; by: string | null; memoryId: string | null; automatic?: boolean },
): Promise<boolean> {
  const changed = await uow.run(
    `update memory_proposals set status = ?, resolved_at = ?, resolved_by = ?, created_memory_id = ?, automatic = ?
     where proposal_id = ? and status = 'pending'`,
    [to.status, to.at, to.by, to.memoryId, to.automatic ? 1 : 0, proposalId],
  );
  return changed === 1;
}

export async function setItem(uow: UnitOfWork, proposalId: string, itemId: string): Promise<void> {
  await uow.run('update memory_proposals set item_id = ? where proposal_id = ?', [itemId, proposalId]);
}

export async function decline(uow: UnitOfWork, did: string, fingerprint: string, now: number): Promise<void> {
  await uow.run(
    'insert into memory_declined (profile_did, fingerprint, declined_us) values (?, ?, ?) on conflict do nothing',
    [did, fingerprint, now],
  );
}

/** Takes it back: the content may be proposed again. */
export async function forgetDeclined(uow: UnitOfWork, did: string, fingerprint: string): Promise<void> {
  await uow.run('delete from memory_declined where profile_did = ? and fingerprint = ?', [did, fingerprint]);
}

export async function wasDeclined(reader: Reader, did: string, fingerprint: string): Promise<boolean> {
  const row = await reader.get(
    'select 1 as found from memory_declined where profile_did = ? and fingerprint = ?',
    [did, fingerprint],
  );
  return row !== undefined;
}
