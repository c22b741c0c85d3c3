import { dirname, normalize, sep } from 'node:path';
import type { Host } from '../host.ts';
import { liveKeys, revokeKeys } from './connection-key.ts';
import {
  type ConnectionRecord,
  forgetConnection,
  listConnections,
  type Touched,
  writeConnection,
} from './connection-record.ts';
import { editorNamed } from './editors.ts';
import { applyEdit, type FileEdit } from './file-edits.ts';
import { onThisMachine } from './open-connection.ts';
import { placesHere } from './places.ts';
import { planUndoOf, unshared } from './undo-files.ts';

export interface Wanted {
  readonly client: string | undefined;
  readonly project: string | undefined;
  readonly folder: string;
  readonly all: boolean;
}

/** The connections that are meant, and where else there are some of the same name. */
export async function foundConnections(
  dataDir: string,
  { client, project, folder, all }: Wanted,
): Promise<{ readonly here: readonly ConnectionRecord[]; readonly elsewhere: readonly string[] }> {
  const records = (await listConnections(dataDir)).filter(
    (record) =>
      (client === undefined || record.editor === client) &&
      (project === undefined || record.project === project),
  );
  const here = records.filter((record) => {
    const places = placesOf(record);
    // A connection that is in no folder at all was printed, or written into the user's own file.
    return all || places.includes(folder) || (client !== undefined && places.length === 0);
  });
  return { here, elsewhere: records.filter((each) => !here.includes(each)).flatMap(placesOf) };
}

export interface Ended {
  readonly connection: string;
  readonly edits: readonly FileEdit[];
  readonly changed: readonly string[];
  readonly revoked: readonly string[];
  /** Folders in which the connection goes on. */
  readonly left: readonly string[];
}

/** Ends a connection in one folder, or everywhere. With its last folder its key goes, and what it wrote for all. */
export async function endConnection(
  host: Host,
  record: ConnectionRecord,
  folder: string | undefined,
  dryRun: boolean,
): Promise<Ended> {
  const { dataDir } = host.settings;
  const left = folder === undefined ? [] : placesOf(record).filter((each) => each !== folder);
  const goes = (file: Touched) => left.length === 0 || folderOf(record, file) === folder;
  const others = (await listConnections(dataDir)).filter(({ name }) => name !== record.name);
  const planned = await planUndoOf(record, unshared(record.editor, record.files.filter(goes), others));
  const edits = planned.filter(
    ({ before, after, touched }) => before !== after || touched.madeFolders?.length,
  );
  const base = { connection: record.name, edits, left };
  if (dryRun) return { ...base, changed: [], revoked: [] };
  const changed: string[] = [];
  for (const edit of edits) if (await applyEdit(edit)) changed.push(edit.touched.path);
  const unique = [...new Set(changed)];
  if (left.length > 0) {
    await writeConnection(dataDir, {
      ...record,
      files: record.files.filter((file) => !goes(file)),
      repositories: (record.repositories ?? []).filter((each) => each !== folder),
      offIn: (record.offIn ?? []).filter((each) => each !== folder),
    });
    return { ...base, changed: unique, revoked: [] };
  }
  // A key of a team's server was made there, and is revoked there.
  const revoked =
    record.url === undefined
      ? await onThisMachine(host, async (to) => {
          const keys = await liveKeys(to, host, record.name);
          await revokeKeys(to, host, keys);
          return keys;
        })
      : [];
  await forgetConnection(dataDir, record.name);
  return { ...base, changed: unique, revoked };
}

/** The folders in which a connection is. */
function placesOf(record: ConnectionRecord): string[] {
  const folders = record.files.map((file) => folderOf(record, file)).filter((each) => each !== undefined);
  return [...new Set([...(record.repositories ?? []), ...folders])];
}

/** Earlier versions did not say for which folder they changed a file; it is the one that holds it. */
function folderOf(record: ConnectionRecord, { repository, kind, path }: Touched): string | undefined {
  if (repository !== undefined || record.repositories) return repository;
  if (kind === 'instructions') return dirname(path);
  const editor = editorNamed(record.editor);
  if (path === editor.userFile(placesHere())) return undefined;
  const file = editor.projectFiles?.find((each) => path.endsWith(`${sep}${normalize(each)}`));
  return file === undefined ? undefined : path.slice(0, -file.length - 1);
}
