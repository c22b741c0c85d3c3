import type { Reader } from '../../../spine/storage/database.ts';

export interface TallyFilter {
  readonly projectId: string;
  readonly sinceMicros: number;
  readonly minSignificance: number;
}

export interface Tally {
  readonly summary: {
    readonly recent_packages: number;
    readonly by_type: Readonly<Record<string, number>>;
    readonly by_actor: Readonly<Record<string, number>>;
  };
  /** Packages that are counted, but not by type and actor: more than are looked at one by one. */
  readonly untallied: number;
}

export const emptyTally: Tally = {
  summary: { recent_packages: 0, by_type: {}, by_actor: {} },
  untallied: 0,
};

const MOST_TALLIED = 50_000;

const SHOWN = `project_id = ? and quarantined = 0 and tombstone is null and created_us >= ? and significance >= ?
  and status <> 'draft'`;

/** How much was deposited in a window, of which types and by whom. Reads an index and no package. */
export async function tallyPackages(
  reader: Reader,
  filter: TallyFilter,
  most = MOST_TALLIED,
): Promise<Tally> {
  const params = [filter.projectId, filter.sinceMicros, filter.minSignificance];
  const total = await reader.get<{ n: number }>(`select count(*) as n from packages where ${SHOWN}`, params);
  const rows = await reader.all<{ package_type: string; author_type: string; author_id: string; n: number }>(
    `select package_type, author_type, author_id, count(*) as n from (
       select package_type, author_type, author_id from packages where ${SHOWN}
       order by created_us desc, seq desc limit ?
     ) as newest group by package_type, author_type, author_id order by author_type, author_id, package_type`,
    [...params, most],
  );
  const byType: Record<string, number> = Object.create(null);
  const byActor: Record<string, number> = Object.create(null);
  let tallied = 0;
  for (const { package_type: type, author_type, author_id, n } of rows) {
    const actor = `${author_type}:${author_id}`;
    byType[type] = (byType[type] ?? 0) + Number(n);
    byActor[actor] = (byActor[actor] ?? 0) + Number(n);
    tallied += Number(n);
  }
  const count = Number(total?.n ?? 0);
  return {
    summary: { recent_packages: count, by_type: byType, by_actor: byActor },
    untallied: count - tallied,
  };
}

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    summary: {
      recent_packages: a.summary.recent_packages + b.summary.recent_packages,
      by_type: addCounts(a.summary.by_type, b.summary.by_type),
      by_actor: addCounts(a.summary.by_actor, b.summary.by_actor),
    },
    untallied: a.untallied + b.untallied,
  };
}

function addCounts(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) {
  const sum: Record<string, number> = Object.assign(Object.create(null), a);
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
