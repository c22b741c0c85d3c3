/**
 * Repositories that a person set up before any client was connected there. A connection's record says the same of its own
 * repositories, so the first client to be connected takes the entry over.
 */
import { join } from 'node:path';
import { makePrivateFolder } from '../../../platform/private-files.ts';
import type { Touched } from './connection-record.ts';
import { applyEdit, type FileEdit } from './file-edits.ts';
import { readText, replaceText } from './text-file.ts';
import { planUndoOfMade } from './undo-files.ts';

export interface BoundRepository {
  readonly root: string;
  readonly project: string;
  /** Files of the repository that binding it made, so that they can be given back. */
  readonly made: readonly Touched[];
}

const fileOf = (dataDir: string) => join(dataDir, 'repositories.json');

export async function listBoundRepositories(dataDir: string): Promise<readonly BoundRepository[]> {
  const text = await readText(fileOf(dataDir));
  return text === undefined ? [] : (JSON.parse(text) as BoundRepository[]);
}

export async function boundRepositoryAt(dataDir: string, root: string): Promise<BoundRepository | undefined> {
  return (await listBoundRepositories(dataDir)).find((each) => each.root === root);
}

/** What was made before is kept: binding again makes only what is missing. */
export async function keepBoundRepository(dataDir: string, bound: BoundRepository): Promise<void> {
  const known = await listBoundRepositories(dataDir);
  const before = known.find(({ root }) => root === bound.root)?.made ?? [];
  const earlier = before.filter(({ path }) => !bound.made.some((each) => each.path === path));
  const others = known.filter(({ root }) => root !== bound.root);
  await write(dataDir, [...others, { ...bound, made: [...earlier, ...bound.made] }]);
}

export async function forgetBoundRepository(dataDir: string, root: string): Promise<void> {
  const known = await listBoundRepositories(dataDir);
  const left = known.filter((each) => each.root !== root);
  if (left.length < known.length) await write(dataDir, left);
}

export interface Unbound {
  readonly project: string;
  readonly edits: readonly FileEdit[];
  /** Files that were given back as they were. */
  readonly changed: readonly string[];
}

/** Takes back what setting the repository up made there. */
export async function unbindRepository(
  dataDir: string,
  { root, project, made }: BoundRepository,
  dryRun: boolean,
): Promise<Unbound> {
  const edits = await planUndoOfMade(made);
  const changed: string[] = [];
  if (!dryRun) {
    for (const edit of edits) if (await applyEdit(edit)) changed.push(edit.touched.path);
    await forgetBoundRepository(dataDir, root);
  }
  return { project, edits, changed };
}

async function write(dataDir: string, bound: readonly BoundRepository[]): Promise<void> {
  makePrivateFolder(dataDir);
  await replaceText(fileOf(dataDir), `${JSON.stringify(bound, null, 2)}\n`, 0o600);
}
