import type { Micros } from '../../kernel/clock.ts';
import type { ActorType } from '../identity/principal.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { rowLock } from '../storage/sql-text.ts';
import type { Choice, Decision, DecisionMade, InboxItem, ItemState, Risk, Subject } from './item.ts';

export interface ItemRow {
  readonly seq: number;
  readonly item_id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly state: ItemState;
  readonly requested_by: string;
  readonly requested_by_type: ActorType;
  readonly requested_for: string | null;
  readonly requested_for_type: ActorType | null;
  readonly requested_with: string | null;
  readonly deciders: string | null;
  readonly owner_decides: number;
  readonly personal: number;
  readonly choices: string;
  readonly choice: string | null;
  readonly quorum: number | null;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly digest: string;
  readonly rule: string;
  readonly title: string;
  readonly risk: Risk;
  readonly opened_at: string;
  readonly expires_at: string | null;
  readonly expires_us: number | null;
  readonly unblocks: string;
  readonly edits_allowed: number;
  readonly humans_only: number;
  readonly like_key: string | null;
  readonly held_until: string | null;
  readonly salt: string;
  readonly decision: Decision | null;
  readonly decided_by: string | null;
  readonly decided_by_type: ActorType | null;
  readonly decided_credential: string | null;
  readonly decided_at: string | null;
  readonly note: string | null;
  readonly edits_hash: string | null;
  readonly reason: string | null;
}

export const ITEM_COLUMNS = `seq, item_id, project_id, kind, state, requested_by, requested_by_type, requested_for,
  requested_for_type, requested_with, deciders, owner_decides, personal, choices, choice, quorum, subject_type, subject_id, digest,
  rule, title, risk, opened_at, expires_at, expires_us, unblocks, edits_allowed, humans_only, like_key, held_until, salt,
  decision, decided_by, decided_by_type, decided_credential, decided_at, note, edits_hash, reason`;

export function itemOf(row: ItemRow): InboxItem {
  return {
    seq: row.seq,
    itemId: row.item_id,
    projectId: row.project_id,
    kind: row.kind,
    state: row.state,
    requestedBy: { id: row.requested_by, type: row.requested_by_type },
    // Items from before both names were kept: whoever asked spoke for nobody else.
    requestedFor: {
      id: row.requested_for ?? row.requested_by,
      type: row.requested_for_type ?? row.requested_by_type,
    },
    requestedWith: row.requested_with,
    deciders: row.deciders === null ? null : (JSON.parse(row.deciders) as string[]),
    ownerDecides: row.owner_decides === 1,
    personal: row.personal === 1,
    choices: JSON.parse(row.choices) as Choice[],
    quorum: row.quorum ?? 1,
    subject: { type: row.subject_type, id: row.subject_id },
    digest: row.digest,
    rule: row.rule,
    title: row.title,
    risk: row.risk,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    expires: row.expires_us,
    unblocks: JSON.parse(row.unblocks) as Subject[],
    editsAllowed: row.edits_allowed === 1,
    humansOnly: row.humans_only === 1,
    likeKey: row.like_key,
    heldUntil: row.held_until,
    salt: row.salt,
    decision: decisionOf(row),
    reason: row.reason,
  };
}

function decisionOf(row: ItemRow): DecisionMade | null {
  if (row.decision === null || row.decided_by === null) return null;
  return {
    decision: row.decision,
    choice: row.choice,
    decidedBy: { id: row.decided_by, type: row.decided_by_type ?? 'human' },
    credential: row.decided_credential ?? '',
    decidedAt: row.decided_at ?? '',
    note: row.note,
    editsHash: row.edits_hash,
  };
}

export type NewItemRow = Omit<InboxItem, 'seq' | 'state' | 'decision' | 'heldUntil' | 'reason'> & {
  readonly opened: Micros;
};

export async function insertItem(uow: UnitOfWork, item: NewItemRow): Promise<void> {
  await uow.run(
    `insert into inbox_items (item_id, project_id, kind, state, requested_by, requested_by_type, requested_for,
       requested_for_type, requested_with, deciders, owner_decides, personal, choices, quorum, subject_type, subject_id, digest,
       rule, title, risk, opened_at, opened_us, expires_at, expires_us, unblocks, edits_allowed, humans_only, like_key, salt)
     values (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      item.itemId,
      item.projectId,
      item.kind,
      item.requestedBy.id,
      item.requestedBy.type,
      item.requestedFor.id,
      item.requestedFor.type,
      item.requestedWith,
      item.deciders === null ? null : JSON.stringify(item.deciders),
      item.ownerDecides ? 1 : 0,
      item.personal ? 1 : 0,
      JSON.stringify(item.choices),
      item.quorum > 1 ? item.quorum : null,
      item.subject.type,
      item.subject.id,
      item.digest,
      item.rule,
      item.title,
      item.risk,
      item.openedAt,
      item.opened,
      item.expiresAt,
      item.expires,
      JSON.stringify(item.unblocks),
      item.editsAllowed ? 1 : 0,
      item.humansOnly ? 1 : 0,
      item.likeKey,
      item.salt,
    ],
  );
}

export async function readItem(reader: Reader, itemId: string): Promise<InboxItem | undefined> {
  const row = await reader.get<ItemRow>(`select ${ITEM_COLUMNS} from inbox_items where item_id = ?`, [
    itemId,
  ]);
  return row && itemOf(row);
}

/** The item, locked until the unit ends. */
export async function holdItem(uow: UnitOfWork, itemId: string): Promise<InboxItem | undefined> {
  const row = await uow.get<ItemRow>(
    `select ${ITEM_COLUMNS} from inbox_items where item_id = ?${rowLock(uow.engine)}`,
    [itemId],
  );
  return row && itemOf(row);
}

export interface AboutSubject {
  readonly projectId: string;
  readonly kind: string;
  readonly subject: Subject;
}

/** Items that can still be decided or whose decision has not taken effect yet, locked until the unit ends. */
export async function holdPending(uow: UnitOfWork, about: AboutSubject): Promise<InboxItem[]> {
  const rows = await uow.all<ItemRow>(
    `select ${ITEM_COLUMNS} from inbox_items
     where project_id = ? and kind = ? and subject_type = ? and subject_id = ? and state in ('open', 'decided')
     order by seq${rowLock(uow.engine)}`,
    [about.projectId, about.kind, about.subject.type, about.subject.id],
  );
  return rows.map(itemOf);
}

/** What people were shown and what they wrote, in every item about this subject, and the salt of its hashes. */
export async function blankItems(uow: UnitOfWork, about: AboutSubject, title: string): Promise<number> {
  return uow.run(
    `update inbox_items set title = ?, note = null, edits = null, salt = ''
     where project_id = ? and kind = ? and subject_type = ? and subject_id = ?`,
    [title, about.projectId, about.kind, about.subject.type, about.subject.id],
  );
}

export async function hasOverdue(reader: Reader, now: Micros): Promise<boolean> {
  const row = await reader.get(
    "select 1 as found from inbox_items where state = 'open' and expires_us <= ? limit 1",
    [now],
  );
  return row !== undefined;
}

export async function holdOverdue(uow: UnitOfWork, now: Micros, limit: number): Promise<InboxItem[]> {
  const rows = await uow.all<ItemRow>(
    `select ${ITEM_COLUMNS} from inbox_items where state = 'open' and expires_us <= ?
     order by expires_us limit ?${rowLock(uow.engine)}`,
    [now, limit],
  );
  return rows.map(itemOf);
}

/** Somebody's yes to an item that needs more than one. */
export interface Vote {
  readonly actorId: string;
  readonly choice: string | null;
  readonly credential: string;
  readonly votedAt: string;
}

/** One for each person: the key refuses a second. */
export async function insertVote(uow: UnitOfWork, itemId: string, vote: Vote): Promise<void> {
  await uow.run(
    'insert into inbox_votes (item_id, actor_id, choice, credential, voted_at) values (?, ?, ?, ?, ?)',
    [itemId, vote.actorId, vote.choice, vote.credential, vote.votedAt],
  );
}

/** In the order in which they were given. */
export async function selectVotes(reader: Reader, itemId: string): Promise<Vote[]> {
  const rows = await reader.all<{
    actor_id: string;
    choice: string | null;
    credential: string;
    voted_at: string;
  }>(
    'select actor_id, choice, credential, voted_at from inbox_votes where item_id = ? order by voted_at, actor_id',
    [itemId],
  );
  return rows.map((row) => ({
    actorId: row.actor_id,
    choice: row.choice,
    credential: row.credential,
    votedAt: row.voted_at,
  }));
}

/** Takes a vote back; false where there is none. */
export async function deleteVote(uow: UnitOfWork, itemId: string, actorId: string): Promise<boolean> {
  const deleted = await uow.run('delete from inbox_votes where item_id = ? and actor_id = ?', [
    itemId,
    actorId,
  ]);
  return deleted === 1;
}

/** Edits are kept only where a job must find them later. */
export async function recordDecision(
  uow: UnitOfWork,
  itemId: string,
  made: DecisionMade,
  { edits, heldUntil }: { readonly edits: string | null; readonly heldUntil: string | null },
): Promise<void> {
  const changed = await uow.run(
    `update inbox_items set state = 'decided', decision = ?, choice = ?, decided_by = ?, decided_by_type = ?, decided_credential = ?,
       decided_at = ?, note = ?, edits_hash = ?, edits = ?, held_until = ?
     where item_id = ? and state = 'open'`,
    [
      made.decision,
      made.choice,
      made.decidedBy.id,
      made.decidedBy.type,
      made.credential,
      made.decidedAt,
      made.note,
      made.editsHash,
      edits,
      heldUntil,
      itemId,
    ],
  );
  if (changed !== 1) throw new Error(`item ${itemId} changed under a unit that held it`);
}

export async function readEdits(reader: Reader, itemId: string): Promise<string | null> {
  const row = await reader.get<{ edits: string | null }>('select edits from inbox_items where item_id = ?', [
    itemId,
  ]);
  return row?.edits ?? null;
}

/** False when the item was not in one of the states it may leave. Edits have served their purpose then. */
export async function moveItem(
  uow: UnitOfWork,
  itemId: string,
  from: readonly ItemState[],
  to: ItemState,
  reason: string | null = null,
): Promise<boolean> {
  const keepEdits = to === 'failed' ? 'edits' : 'null';
  const changed = await uow.run(
    `update inbox_items set state = ?, reason = ?, edits = ${keepEdits}
     where item_id = ? and state in (${from.map(() => '?').join(', ')})`,
    [to, reason, itemId, ...from],
  );
  return changed === 1;
}

/** Opens a decided item again, as if nobody had decided. False where its subject has another open item by now. */
export async function reopenItem(uow: UnitOfWork, item: InboxItem): Promise<boolean> {
  const { projectId, kind, subject, itemId } = item;
  const other = await uow.get(
    `select 1 as found from inbox_items
     where project_id = ? and kind = ? and subject_type = ? and subject_id = ? and state = 'open'`,
    [projectId, kind, subject.type, subject.id],
  );
  if (other) return false;
  const changed = await uow.run(
    `update inbox_items set state = 'open', decision = null, choice = null, decided_by = null, decided_by_type = null,
       decided_credential = null, decided_at = null, note = null, edits_hash = null, edits = null, held_until = null
     where item_id = ? and state = 'decided'`,
    [itemId],
  );
  return changed === 1;
}

/** What the decisions of these items were about, where somebody agreed. */
export function selectApprovedSubjects(
  reader: Reader,
  projectId: string,
  itemIds: readonly string[],
): Promise<{ readonly item_id: string; readonly subject_type: string; readonly subject_id: string }[]> {
  return reader.all(
    `select item_id, subject_type, subject_id from inbox_items
     where project_id = ? and state = 'applied' and decision <> 'reject' and subject_type <> 'action'
       and item_id in (${itemIds.map(() => '?').join(', ')})`,
    [projectId, ...itemIds],
  );
}

/** Oldest first. */
export async function selectItemIdsAbout(
  reader: Reader,
  projectId: string,
  subject: Subject,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ item_id: string }>(
    `select item_id from inbox_items where project_id = ? and subject_type = ? and subject_id = ?
     order by seq limit ?`,
    [projectId, subject.type, subject.id, limit],
  );
  return rows.map((row) => row.item_id);
}

/** How many items wait for a decision, and since when the oldest. */
export async function selectOpenItems(
  reader: Reader,
): Promise<{ readonly items: number; readonly oldest: Micros | null }> {
  const row = await reader.get<{ items: number; oldest: Micros | null }>(
    "select count(*) as items, min(opened_us) as oldest from inbox_items where state = 'open'",
  );
  return row ?? { items: 0, oldest: null };
}
