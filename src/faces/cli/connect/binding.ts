/**
 * Which connection a client has in a folder. What a repository says of itself (`.baton/project.json`) binds nothing: a
 * person binds it, and the connection's record holds its root. So a cloned repository does nothing by itself, and a
 * bound one that loses the file, or holds another repository, stays bound.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '../../../kernel/json/loose.ts';
import { connectionFile, connectionName, connectionsFolder } from './connection-place.ts';
import type { ConnectionRecord } from './connection-record.ts';
import { mainWorktree } from './main-worktree.ts';

export const PROJECT_FILE = join('.baton', 'project.json');
const LARGEST = 65_536;

export interface ProjectFile {
  /** The real path of the folder that holds `.baton`. */
  readonly root: string;
  readonly project: string;
}

export type Binding =
  | { readonly state: 'none' }
  /** The folder names a project, but nobody bound it for this client on this machine. */
  | ({ readonly state: 'unbound' } & ProjectFile)
  | ({ readonly state: 'bound'; readonly record: ConnectionRecord } & ProjectFile);

/** The nearest project file upwards. The data directory is called `.baton` too, and is none. */
export function projectFileAbove(folder: string, dataDir: string): ProjectFile | undefined {
  const data = realOr(dataDir);
  for (const at of upwards(folder)) {
    const found = realOr(join(at, '.baton')) === data ? undefined : readProjectFile(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder and those around it, by their real paths; none if there is no such folder. */
function* upwards(folder: string): Generator<string> {
  let at: string;
  try {
    at = realpathSync(folder);
  } catch {
    return;
  }
  for (; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

/** Undefined where there is none, or none that can be used. */
export function readProjectFile(root: string): ProjectFile | undefined {
  const path = join(root, PROJECT_FILE);
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.size > LARGEST) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    const project = isRecord(value) ? value.project : undefined;
    return typeof project === 'string' && isPlainName(project) ? { root, project } : undefined;
  } catch {
    return undefined;
  }
}

export function bindingOf(dataDir: string, client: string, folder: string): Binding {
  const file = projectFileAbove(folder, dataDir);
  const named = file && readRecord(connectionFile(dataDir, connectionName(client, file.project)));
  if (file && named && isBound(named, file)) return { state: 'bound', record: named, ...file };
  const records = recordsOf(dataDir, client);
  for (const root of records.length > 0 ? upwards(folder) : []) {
    const record = records.find((each) => isBound(each, { root, project: each.project }));
    if (record) return { state: 'bound', record, root, project: record.project };
  }
  return file ? { state: 'unbound', ...file } : { state: 'none' };
}

/** A linked worktree is bound with the repository that it belongs to. */
export function isBound(
  { project, repositories = [] }: Pick<ConnectionRecord, 'project' | 'repositories'>,
  file: ProjectFile,
): boolean {
  if (project !== file.project || repositories.length === 0) return false;
  return includesRoot(repositories, file.root);
}

/** Whether a list of roots has this one, or the one that it is a linked worktree of. */
export function includesRoot(roots: readonly string[], root: string): boolean {
  if (roots.includes(root)) return true;
  const main = mainWorktree(root);
  return main !== undefined && roots.includes(main);
}

function recordsOf(dataDir: string, client: string): ConnectionRecord[] {
  const folder = connectionsFolder(dataDir);
  const start = encodeURIComponent(connectionName(client, ''));
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(start) && name.endsWith('.json'))
    .map((name) => readRecord(join(folder, name)))
    .filter((record) => record !== undefined);
}

/** No line break, nothing hidden, of a length that a file name can have: the name goes into paths, and to terminals. */
function isPlainName(text: string): boolean {
  return (
    text === text.trim() && text !== '' && text.length <= 200 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
  );
}

function readRecord(path: string): ConnectionRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ConnectionRecord;
  } catch {
    return undefined;
  }
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
