import type { Micros } from '../../kernel/clock.ts';
import type { Reader, SqlValue } from '../storage/database.ts';
import type { InboxItem, ItemSort, ItemState, Risk, Subject } from './item.ts';
import { namesActor } from './rules.ts';
import { ITEM_COLUMNS, type ItemRow, itemOf } from './store.ts';

/** Whoever looks at a list, as far as it matters to what they see and to what is theirs. */
export interface Viewer {
  readonly actorId: string;
  readonly human: boolean;
  readonly owner: boolean;
  readonly credential: string;
}

export interface ItemFilter {
  readonly projects: 'all' | readonly string[];
  readonly state?: ItemState;
  readonly kind?: string;
  readonly risk?: Risk;
  readonly requestedBy?: string;
  readonly subject?: Subject;
  /** Only requests that are alike in this way; see `likeKeyOf`. */
  readonly like?: string;
  /** Words in the title, whatever their case. */
  readonly words?: string;
  /** Leaves out what this viewer may not know of; without one, nothing is left out. */
  readonly viewer?: Viewer;
  /** Only what the viewer can decide and has not put aside. */
  readonly mine?: boolean;
  /** Only what the viewer has put aside for now. */
  readonly aside?: boolean;
  readonly sort?: ItemSort;
  /** The place of the last item that the reader has; see `placeOf`. */
  readonly from?: Place;
  readonly limit: number;
}

/** Where an item stands in a sorted list: its key there, then the order of opening. */
export interface Place {
  readonly key: number;
  readonly seq: number;
}

const RISK_KEY = "(case risk when 'critical' then 0 when 'high' then 1 when 'medium' then 2 else 3 end)";
const NEVER = Number.MAX_SAFE_INTEGER;
const MINUTE = 60_000_000;

/** Spelt as in the indexes. Each ascends, but `newest`. */
export const KEYS: Readonly<Record<ItemSort, string>> = {
  oldest: 'seq',
  newest: 'seq',
  risk: RISK_KEY,
  expiry: `(coalesce(expires_us, ${NEVER}))`,
  // What expires in the same minute comes by risk.
  urgency: `(coalesce(expires_us, ${NEVER}) / ${MINUTE} * 4 + ${RISK_KEY})`,
};
const RISK_KEYS: Readonly<Record<Risk, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

export function placeOf(item: InboxItem, sort: ItemSort): Place {
  const { seq, risk, expires } = item;
  if (sort === 'risk') return { key: RISK_KEYS[risk], seq };
  if (sort === 'expiry') return { key: expires ?? NEVER, seq };
  if (sort === 'urgency') return { key: Math.floor((expires ?? NEVER) / MINUTE) * 4 + RISK_KEYS[risk], seq };
  return { key: seq, seq };
}

export async function selectItems(reader: Reader, filter: ItemFilter, now: Micros): Promise<InboxItem[]> {
  const found = await conditionOf(reader, filter, now);
  if (!found) return [];
  const { sort = 'oldest', from } = filter;
  const key = KEYS[sort];
  const params = [...found.params];
  let { where } = found;
  if (from) {
    const beyond = sort === 'newest' ? '<' : '>';
    where += ` and (${key} ${beyond} ? or (${key} = ? and seq ${beyond} ?))`;
    params.push(from.key, from.key, from.seq);
  }
  const order = sort === 'newest' ? 'seq desc' : sort === 'oldest' ? 'seq' : `${key}, seq`;
  const rows = await reader.all<ItemRow>(
    `select ${ITEM_COLUMNS} from inbox_items where ${where} order by ${order} limit ?`,
    [...params, filter.limit],
  );
  return rows.map(itemOf);
}

export async function countItems(reader: Reader, filter: ItemFilter, now: Micros): Promise<number> {
  const found = await conditionOf(reader, filter, now);
  if (!found) return 0;
  const row = await reader.get<{ count: number }>(
    `select count(*) as count from inbox_items where ${found.where}`,
    found.params,
  );
  return Number(row?.count ?? 0);
}

/** How many items have these four in common. */
export interface ItemCount {
  readonly kind: string;
  readonly risk: Risk;
  readonly projectId: string;
  /** The actor in whose name it was asked. */
  readonly agentId: string;
  /** The actor of the credential that asked. */
  readonly askedBy: string;
  readonly count: number;
}

/** Everything that facets are added up from. */
export async function tallyItems(reader: Reader, filter: ItemFilter, now: Micros): Promise<ItemCount[]> {
  const found = await conditionOf(reader, filter, now);
  if (!found) return [];
  const rows = await reader.all<{
    kind: string;
    risk: Risk;
    project_id: string;
    agent: string;
    requested_by: string;
    count: number;
  }>(
    `select kind, risk, project_id, coalesce(requested_for, requested_by) as agent, requested_by, count(*) as count
     from inbox_items where ${found.where}
     group by kind, risk, project_id, coalesce(requested_for, requested_by), requested_by`,
    found.params,
  );
  return rows.map((row) => ({
    kind: row.kind,
    risk: row.risk,
    projectId: row.project_id,
    agentId: row.agent,
    askedBy: row.requested_by,
    count: Number(row.count),
  }));
}

export interface Condition {
  readonly where: string;
  readonly params: readonly SqlValue[];
}

/** Undefined where nothing can fit. */
export async function conditionOf(
  reader: Reader,
  filter: ItemFilter,
  now: Micros,
): Promise<Condition | undefined> {
  if (filter.projects !== 'all' && filter.projects.length === 0) return undefined;
  const where: string[] = ['1 = 1'];
  const params: SqlValue[] = [];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (filter.projects !== 'all') add(`project_id in (${marks(filter.projects)})`, ...filter.projects);
  if (filter.state === 'open') add("state = 'open' and (expires_us is null or expires_us > ?)", now);
  else if (filter.state === 'expired') {
    add("(state = 'expired' or (state = 'open' and expires_us <= ?))", now);
  } else if (filter.state) add('state = ?', filter.state);
  if (filter.kind !== undefined) add('kind = ?', filter.kind);
  if (filter.risk !== undefined) add('risk = ?', filter.risk);
  if (filter.requestedBy !== undefined) {
    add('(requested_by = ? or requested_for = ?)', filter.requestedBy, filter.requestedBy);
  }
  if (filter.subject) add('subject_type = ? and subject_id = ?', filter.subject.type, filter.subject.id);
  if (filter.like !== undefined) add('like_key = ?', filter.like);
  const { viewer } = filter;
  if (viewer && (filter.mine || filter.aside)) {
    add(
      `${filter.aside ? '' : 'not '}exists (select 1 from inbox_asides s where s.item_id = inbox_items.item_id
         and s.actor_id = ? and (s.handed_to is not null or s.until_us > ?))`,
      viewer.actorId,
      now,
    );
  }
  if (viewer && !viewer.human) {
    add('(personal = 0 or requested_by = ? or requested_for = ?)', viewer.actorId, viewer.actorId);
  }
  if (viewer && (filter.mine || filter.words !== undefined)) {
    const named = await decidersNaming(reader, viewer.actorId);
    const owner = viewer.owner ? 'owner_decides = 1 or ' : '';
    const decides = `(${owner}deciders is null${named.length > 0 ? ` or deciders in (${marks(named)})` : ''})`;
    if (filter.mine) {
      add(decides, ...named);
      add(
        'requested_by <> ? and (requested_for is null or requested_for <> ?)',
        viewer.actorId,
        viewer.actorId,
      );
      add('(requested_with is null or requested_with <> ?)', viewer.credential);
      if (!viewer.human) add('humans_only = 0');
    }
    // A title that is not shown must not be found by its words either.
    if (filter.words !== undefined) {
      add(
        `(personal = 0 or requested_by = ? or requested_for = ? or (deciders is not null and ${decides}))`,
        viewer.actorId,
        viewer.actorId,
        ...named,
      );
    }
  }
  if (filter.words !== undefined) {
    // Both engines fold the case of ASCII letters only.
    const folded = filter.words.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    add("lower(title) like ? escape '!'", `%${folded.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`);
  }
  return { where: where.join(' and '), params };
}

/** The lists of deciders of open items that name this actor: few, since they come from rules and not from items. */
async function decidersNaming(reader: Reader, actorId: string): Promise<string[]> {
  const rows = await reader.all<{ deciders: string }>(
    "select distinct deciders from inbox_items where state = 'open' and deciders is not null",
  );
  return rows.map(({ deciders }) => deciders).filter((text) => namesActor(JSON.parse(text), actorId));
}

export function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
