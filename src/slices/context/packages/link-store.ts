import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { HEAD_COLUMNS, headOf, type PackageRow } from './store.ts';
import type { PackageHead } from './stored-package.ts';

export interface PackageKey {
  readonly projectId: string;
  readonly packageId: string;
}

export interface PackageRef {
  readonly rel: string;
  readonly targetProject: string;
  readonly targetId: string;
  readonly targetHash: string | null;
}

export interface Links {
  readonly parents: readonly string[];
  readonly questions: readonly { readonly question: string; readonly hash: string }[];
  readonly resolves: readonly { readonly packageId: string; readonly questionHash: string }[];
  readonly refs: readonly PackageRef[];
}

/** Stores the parents, questions, answers and references of a package. */
export async function insertLinks(
  uow: UnitOfWork,
  { projectId, packageId }: PackageKey,
  askedMicros: number,
  links: Links,
): Promise<void> {
  for (const [position, parent] of links.parents.entries()) {
    await uow.run(
      'insert into package_parents (project_id, package_id, position, parent_id) values (?, ?, ?, ?)',
      [projectId, packageId, position, parent],
    );
  }
  for (const [position, { question, hash }] of links.questions.entries()) {
    await uow.run(
      `insert into package_questions (project_id, package_id, position, question, question_hash, asked_us)
       values (?, ?, ?, ?, ?, ?)`,
      [projectId, packageId, position, question, hash, askedMicros],
    );
  }
  for (const [position, resolved] of links.resolves.entries()) {
    await uow.run(
      `insert into package_resolutions (project_id, resolver_id, position, target_id, question_hash)
       values (?, ?, ?, ?, ?)`,
      [projectId, packageId, position, resolved.packageId, resolved.questionHash],
    );
  }
  for (const [position, ref] of links.refs.entries()) {
    await uow.run(
      `insert into package_refs (project_id, package_id, position, rel, target_project, target_id, target_hash)
       values (?, ?, ?, ?, ?, ?, ?)`,
      [projectId, packageId, position, ref.rel, ref.targetProject, ref.targetId, ref.targetHash],
    );
  }
}

/** Packages of the project that refer to one of these, and as what. */
export function selectReferring(
  reader: Reader,
  projectId: string,
  packageIds: readonly string[],
  limit: number,
): Promise<{ readonly package_id: string; readonly rel: string; readonly target_id: string }[]> {
  return reader.all(
    `select package_id, rel, target_id from package_refs
     where project_id = ? and target_project = ? and target_id in (${packageIds.map(() => '?').join(', ')})
     order by package_id, position limit ?`,
    [projectId, projectId, ...packageIds, limit],
  );
}

export async function selectParents(reader: Reader, { projectId, packageId }: PackageKey): Promise<string[]> {
  const rows = await reader.all<{ parent_id: string }>(
    'select parent_id from package_parents where project_id = ? and package_id = ? order by position',
    [projectId, packageId],
  );
  return rows.map((row) => row.parent_id);
}

/** In order of arrival, without drafts: they do not count in lineage. */
export async function selectChildren(
  reader: Reader,
  { projectId, packageId }: PackageKey,
  limit: number,
): Promise<PackageHead[]> {
  const rows = await reader.all<PackageRow & { bytes: number }>(
    `select ${HEAD_COLUMNS} from packages
     where project_id = ? and status <> 'draft' and package_id in
       (select package_id from package_parents where project_id = ? and parent_id = ?)
     order by seq limit ?`,
    [projectId, projectId, packageId, limit],
  );
  return rows.map(headOf);
}

/** Drafts count here: somebody has begun to build on it. */
export async function hasChild(reader: Reader, { projectId, packageId }: PackageKey): Promise<boolean> {
  const row = await reader.get(
    'select 1 as found from package_parents where project_id = ? and parent_id = ? limit 1',
    [projectId, packageId],
  );
  return row !== undefined;
}

const IS_HEAD = `packages.status <> 'draft' and not exists (
  select 1 from package_parents join packages as child
    on child.project_id = package_parents.project_id and child.package_id = package_parents.package_id
  where package_parents.project_id = packages.project_id and package_parents.parent_id = packages.package_id
    and child.status <> 'draft')`;

/** Packages on which nothing has been built yet, by instant and then by the bytes of the id, as on every server. */
export async function selectHeads(reader: Reader, projectId: string, limit: number): Promise<PackageHead[]> {
  const rows = await reader.all<PackageRow & { bytes: number }>(
    `select ${HEAD_COLUMNS} from packages where project_id = ? and ${IS_HEAD}
     order by created_us desc, package_id desc limit ?`,
    [projectId, limit],
  );
  return rows.map(headOf);
}

/** How many heads among the newest packages continue another package. */
export async function countLines(reader: Reader, projectId: string, newest: number): Promise<number> {
  const row = await reader.get<{ lines: number }>(
    `select count(*) as lines from (
       select * from packages where project_id = ? order by created_us desc, seq desc limit ?) as packages
     where ${IS_HEAD} and exists (
       select 1 from package_parents where package_parents.project_id = packages.project_id
         and package_parents.package_id = packages.package_id)`,
    [projectId, newest],
  );
  return row?.lines ?? 0;
}

export async function isHead(reader: Reader, { projectId, packageId }: PackageKey): Promise<boolean> {
  const row = await reader.get(
    `select 1 as found from packages where project_id = ? and package_id = ? and ${IS_HEAD}`,
    [projectId, packageId],
  );
  return row !== undefined;
}

export async function selectRefs(
  reader: Reader,
  { projectId, packageId }: PackageKey,
): Promise<PackageRef[]> {
  const rows = await reader.all<{
    rel: string;
    target_project: string;
    target_id: string;
    target_hash: string | null;
  }>(
    `select rel, target_project, target_id, target_hash from package_refs
     where project_id = ? and package_id = ? order by position`,
    [projectId, packageId],
  );
  return rows.map((row) => ({
    rel: row.rel,
    targetProject: row.target_project,
    targetId: row.target_id,
    targetHash: row.target_hash,
  }));
}

/** The packages that refer to this one, in the projects that the caller can see. */
export async function selectBacklinks(
  reader: Reader,
  target: PackageKey,
  visible: 'all' | readonly string[],
): Promise<{ rel: string; project_id: string; package_id: string }[]> {
  if (visible !== 'all' && visible.length === 0) return [];
  const scope =
    visible === 'all' ? '' : ` and package_refs.project_id in (${visible.map(() => '?').join(', ')})`;
  return reader.all(
    `select rel, package_refs.project_id as project_id, package_refs.package_id as package_id
     from package_refs join packages on packages.project_id = package_refs.project_id
       and packages.package_id = package_refs.package_id and packages.status <> 'draft'
     where target_project = ? and target_id = ?${scope} order by packages.seq limit 200`,
    [target.projectId, target.packageId, ...(visible === 'all' ? [] : visible)],
  );
}
