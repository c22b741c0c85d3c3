import type { Connection, Host } from '../host.ts';
import { boundRepositoryAt, forgetBoundRepository } from './bound-repositories.ts';
import { codexHookStates, trustForm } from './codex-trust.ts';
import { connectionName } from './connection-place.ts';
import {
  type ConnectionRecord,
  listConnections,
  readConnection,
  type Touched,
  writeConnection,
} from './connection-record.ts';
import type { Editor } from './editors.ts';
import { applyEdit, type FileEdit, planEdit } from './file-edits.ts';
import { launchHere, mcpEntry } from './launch.ts';
import { openConnection, type RemoteServer } from './open-connection.ts';
import { placesHere, programAt } from './places.ts';
import { planFiles } from './plan-files.ts';
import type { Repository } from './repository.ts';
import { isShared, planUndoOf, unshared } from './undo-files.ts';

export interface ConnectRequest {
  readonly editor: Editor;
  readonly project: string;
  readonly repository?: Repository | undefined;
  /** Files of the repository that binding it made: the last connection to go takes them along. */
  readonly made?: readonly Touched[];
  readonly team?: boolean | undefined;
  readonly global?: boolean | undefined;
  readonly instructions?: boolean | undefined;
  /** Undefined leaves what the person chose before. */
  readonly hooks?: boolean | undefined;
  readonly prompts?: boolean | undefined;
  readonly strict?: boolean | undefined;
  /** The rules that were loaded for the repository. */
  readonly atlas?: ConnectionRecord['atlas'];
  readonly remote?: RemoteServer | undefined;
}

export interface Connected {
  readonly record: ConnectionRecord;
  readonly edits: readonly FileEdit[];
  /** Paths of files that changed. */
  readonly written: readonly string[];
  /** What the person still has to do. */
  readonly notes: readonly string[];
}

/** What is to be written for a request, without writing it. */
export async function planConnection(host: Host, request: ConnectRequest): Promise<FileEdit[]> {
  const { editor, project, repository, remote } = request;
  const { dataDir } = host.settings;
  const places = placesHere(repository?.root);
  const connection = connectionName(editor.name, project);
  const known = await readConnection(dataDir, connection);
  const placement = placementOf(request, known);
  const launch = await launchHere(host.settings, places, placement === 'team');
  const as = repository ? ['--client', editor.name] : ['--as', connection];
  const members =
    remote && remote.key === undefined
      ? editor.remote(mcpAddress(remote.url))
      : editor.members(mcpEntry(launch, ...as));
  return planFiles(
    {
      editor,
      connection,
      places,
      repository,
      launch,
      members,
      hooks: hooksOf(request, known).enabled && !(remote && remote.key === undefined),
      strict: hooksOf(request, known).strict,
      elsewhere: remote !== undefined,
      instructions: request.instructions ?? false,
      team: placement === 'team',
      global: placement === 'global',
      wait: Number(process.env.BATON_HOOK_WAIT) || 45,
    },
    await touchedBefore(dataDir, editor.name, connection),
  );
}

/** Makes or renews a connection. The record is written first: whatever happens then can be undone. */
export async function connectClient(to: Connection, host: Host, request: ConnectRequest): Promise<Connected> {
  const { editor, project, repository, made = [] } = request;
  const { dataDir } = host.settings;
  const name = connectionName(editor.name, project);
  const known = await readConnection(dataDir, name);
  const placement = placementOf(request, known);
  // A file that cannot be edited is found out before a key is made for nothing.
  const edits = await planConnection(host, request);
  const opened = await openConnection(to, host, editor, project, request.remote);
  const others = (await listConnections(dataDir)).filter((each) => each.name !== name);
  const bound = repository && (await boundRepositoryAt(dataDir, repository.root));
  const shared = repository ? [...(bound?.made ?? []), ...madeIn(others, repository.root)] : [];
  const fresh = [...shared, ...made, ...edits.map(({ touched }) => touched)];
  const stale = repository ? staleFiles(known, fresh, repository.root) : [];
  const kept = (known?.files ?? []).filter((file) => !stale.includes(file));
  const record: ConnectionRecord = {
    ...opened,
    files: merged(kept, fresh),
    ...(repository && {
      repositories: [...new Set([...(known?.repositories ?? []), repository.root])],
      hooks: hooksOf(request, known),
    }),
    ...(placement && { placement }),
    ...(request.atlas && { atlas: request.atlas }),
  };
  await writeConnection(dataDir, record);
  if (bound) await forgetBoundRepository(dataDir, bound.root);
  const undone = await planUndoOf(record, unshared(editor.name, stale, others));
  const written: string[] = [];
  for (const edit of [...undone, ...edits]) if (await applyEdit(edit)) written.push(edit.touched.path);
  const { record: trusting, edit, note } = await trustHooks(dataDir, request, record);
  if (edit && (await applyEdit(edit))) written.push(edit.touched.path);
  return {
    record: trusting,
    edits: edit ? [...edits, edit] : edits,
    written: [...new Set(written)],
    notes: note === undefined ? [] : [note],
  };
}

/** Codex has to trust each hook before it runs it; the other clients need nothing of the kind. */
async function trustHooks(
  dataDir: string,
  { editor, repository }: ConnectRequest,
  record: ConnectionRecord,
): Promise<{ readonly record: ConnectionRecord; readonly edit?: FileEdit; readonly note?: string }> {
  const written = record.files.some(({ kind }) => kind === 'hooks');
  if (editor.name !== 'codex' || !repository || !written) return { record };
  const places = placesHere();
  const program = await programAt('codex', places);
  const states = program === undefined ? undefined : await codexHookStates(program, repository.root);
  if (!states || states.length === 0) {
    return {
      record,
      note: 'Codex runs these hooks once you trust them: open `codex` and review them in `/hooks`.',
    };
  }
  const target = { path: editor.userFile(places), kind: 'trust' } as const;
  const known = record.files.find(({ kind, path }) => kind === 'trust' && path === target.path);
  const planned = await planEdit(target, trustForm(states), known);
  const touched = { ...planned.touched, keys: states.map(({ key }) => key) };
  const trusting = { ...record, files: merged(record.files, [touched]) };
  await writeConnection(dataDir, trusting);
  return { record: trusting, edit: { ...planned, touched } };
}

function mcpAddress(url: string): string {
  return `${url.replace(/\/+$/, '')}/mcp`;
}

/** What was chosen before holds until something else is. */
function placementOf(
  { team, global, repository }: ConnectRequest,
  known: ConnectionRecord | undefined,
): ConnectionRecord['placement'] {
  if (team) return 'team';
  return global ? 'global' : repository && known?.placement;
}

function hooksOf({ hooks, prompts, strict }: ConnectRequest, known: ConnectionRecord | undefined) {
  return {
    enabled: hooks ?? known?.hooks?.enabled ?? true,
    prompts: prompts ?? known?.hooks?.prompts ?? true,
    strict: strict ?? known?.hooks?.strict ?? false,
  };
}

/** What this connection, or another that shares the file, put into files before. */
async function touchedBefore(dataDir: string, client: string, name: string): Promise<Touched[]> {
  const records = await listConnections(dataDir);
  const own = records.find((each) => each.name === name);
  const others = records.filter((each) => each !== own);
  const shared = others.flatMap(({ editor, files }) =>
    files.filter((file) => isShared(client, file, editor, file)),
  );
  return [...(own?.files ?? []), ...shared];
}

function madeIn(records: readonly ConnectionRecord[], root: string): Touched[] {
  return records.flatMap(({ files }) =>
    files.filter(({ kind, repository }) => kind === 'made' && repository === root),
  );
}

/** What an earlier run wrote for this repository into places that are no longer the ones. */
function staleFiles(known: ConnectionRecord | undefined, fresh: readonly Touched[], root: string): Touched[] {
  const kinds: readonly Touched['kind'][] = ['entry', 'hooks', 'approval', 'plugin', 'exclude'];
  return (known?.files ?? []).filter(
    (file) =>
      kinds.includes(file.kind) &&
      file.repository === root &&
      !fresh.some((each) => idOf(each) === idOf(file)),
  );
}

function merged(old: readonly Touched[], fresh: readonly Touched[]): Touched[] {
  const files = new Map(old.map((file) => [idOf(file), file]));
  for (const file of fresh) files.set(idOf(file), file);
  return [...files.values()];
}

function idOf({ kind, path }: Touched): string {
  return `${kind} ${path}`;
}
