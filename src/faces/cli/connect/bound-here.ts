import type { Host } from '../host.ts';
import { type ProjectFile, projectFileAbove } from './binding.ts';
import { type ConnectionRecord, listConnections } from './connection-record.ts';
import { connectErrors } from './errors.ts';

export interface BoundHere extends ProjectFile {
  /** The connections of the clients that are connected in this repository. */
  readonly records: readonly ConnectionRecord[];
}

/** The repository around this folder, if a person bound it. */
export async function requireBound(host: Host, folder = process.cwd()): Promise<BoundHere> {
  const file = requireProjectFile(host, folder);
  const records = boundRecords(await listConnections(host.settings.dataDir), file);
  if (records.length > 0) return { ...file, records };
  throw connectErrors.repository_unusable({
    message: `${file.root} names the project ${file.project}, but no client is connected there.`,
    next: 'Connect one with `baton connect CLIENT`.',
  });
}

/** What the repository says of itself: enough to look at a project, not to act in it. */
export function requireProjectFile(host: Host, folder = process.cwd()): ProjectFile {
  const file = projectFileAbove(folder, host.settings.dataDir);
  if (file) return file;
  throw connectErrors.repository_unusable({
    message: 'This folder belongs to no project of Baton.',
    next: 'Set it up with `baton init`.',
  });
}

export function boundRecords(
  records: readonly ConnectionRecord[],
  { root, project }: ProjectFile,
): ConnectionRecord[] {
  return records.filter((record) => record.project === project && record.repositories?.includes(root));
}
