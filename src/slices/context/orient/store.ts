import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { countCurrent } from '../facts/store.ts';

export interface OpenQuestion {
  readonly projectId: string;
  readonly packageId: string;
  readonly question: string;
  readonly askedMicros: number;
  readonly askedBy: Actor;
}

export interface QuestionFilter {
  readonly projectId: string;
  readonly sinceMicros: number;
  readonly minSignificance: number;
  readonly limit: number;
}

const UNRESOLVED = `not exists (
  select 1 from package_resolutions join packages as resolver
    on resolver.project_id = package_resolutions.project_id and resolver.package_id = package_resolutions.resolver_id
  where package_resolutions.project_id = package_questions.project_id
    and package_resolutions.target_id = package_questions.package_id
    and package_resolutions.question_hash = package_questions.question_hash
    and resolver.status <> 'draft')`;

/** Questions that no later package has resolved, newest first, each once. */
export async function selectOpenQuestions(reader: Reader, filter: QuestionFilter): Promise<OpenQuestion[]> {
  const rows = await reader.all<{
    package_id: string;
    question: string;
    question_hash: string;
    asked_us: number;
    author_id: string;
    author_type: Actor['type'];
  }>(
    `select package_questions.package_id, package_questions.question, package_questions.question_hash,
       package_questions.asked_us, packages.author_id, packages.author_type
     from package_questions join packages on packages.project_id = package_questions.project_id
       and packages.package_id = package_questions.package_id
     where package_questions.project_id = ? and package_questions.asked_us >= ? and packages.status <> 'draft'
       and packages.quarantined = 0 and packages.significance >= ? and ${UNRESOLVED}
     order by package_questions.asked_us desc, packages.seq desc, package_questions.position limit ?`,
    [filter.projectId, filter.sinceMicros, filter.minSignificance, filter.limit],
  );
  const first = new Map<string, OpenQuestion>();
  for (const row of rows) {
    if (first.has(row.question_hash)) continue;
    first.set(row.question_hash, {
      projectId: filter.projectId,
      packageId: row.package_id,
      question: row.question,
      askedMicros: row.asked_us,
      askedBy: { id: row.author_id, type: row.author_type },
    });
  }
  return [...first.values()];
}

/** Each question once, as `selectOpenQuestions` lists them, without its limit. */
export async function countOpenQuestions(
  reader: Reader,
  filter: Omit<QuestionFilter, 'limit'>,
): Promise<number> {
  const row = await reader.get<{ n: number }>(
    `select count(distinct package_questions.question_hash) as n
     from package_questions join packages on packages.project_id = package_questions.project_id
       and packages.package_id = package_questions.package_id
     where package_questions.project_id = ? and package_questions.asked_us >= ? and packages.status <> 'draft'
       and packages.quarantined = 0 and packages.significance >= ? and ${UNRESOLVED}`,
    [filter.projectId, filter.sinceMicros, filter.minSignificance],
  );
  return Number(row?.n ?? 0);
}

export async function selectCounts(
  reader: Reader,
  projectId: string,
  { sinceMicros, now }: { readonly sinceMicros: number; readonly now: number },
) {
  const packages = await reader.get<{ n: number }>(
    `select count(*) as n from packages where project_id = ? and created_us >= ? and status <> 'draft'
       and quarantined = 0 and tombstone is null`,
    [projectId, sinceMicros],
  );
  const waiting = await reader.get<{ n: number }>(
    // The second condition says nothing new, except to SQLite: that the index of what is not complete has all of them.
    `select count(*) as n from packages
     where project_id = ? and status = 'awaiting_review' and status <> 'complete'`,
    [projectId],
  );
  const facts = await countCurrent(reader, projectId, now);
  return { packages: packages?.n ?? 0, facts, awaiting_review: waiting?.n ?? 0 };
}
