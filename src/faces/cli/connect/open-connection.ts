import { join } from 'node:path';
import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';
import { liveKeys, mintKey, revokeKeys } from './connection-key.ts';
import { connectionName } from './connection-place.ts';
import { type ConnectionRecord, readConnection } from './connection-record.ts';
import type { Editor } from './editors.ts';
import { connectErrors } from './errors.ts';

/** A team's server: its address, and the key for it; without a key the client signs in by itself. */
export interface RemoteServer {
  readonly url: string;
  readonly key?: string;
}

/** Does something on the store of this machine, through the running server if there is one. */
export async function onThisMachine<T>(host: Host, work: (to: Connection) => Promise<T>): Promise<T> {
  if (host.settings.url !== undefined) throw connectErrors.server_elsewhere();
  const to = await host.connect(host.settings);
  try {
    return await work(to);
  } finally {
    await to.close();
  }
}

export async function projectOr(to: Connection, host: Host, given: string | undefined): Promise<string> {
  return given ?? (await ask(to, host, 'identity.whoami', {})).default_project;
}

/** The connection with a key that works: the one it has, or a new one in the place of what no longer does. */
export async function openConnection(
  to: Connection,
  host: Host,
  editor: Editor,
  project: string,
  remote?: RemoteServer,
): Promise<ConnectionRecord> {
  const { dataDir, databaseUrl } = host.settings;
  const name = connectionName(editor.name, project);
  const known = await readConnection(dataDir, name);
  if (remote) return remoteConnection(to, host, editor, project, remote, known);
  const live = await liveKeys(to, host, name);
  const kept = known && live.includes(known.keyId) ? known : undefined;
  await revokeKeys(
    to,
    host,
    live.filter((keyId) => keyId !== kept?.keyId),
  );
  if (kept) return kept;
  const key = await mintKey(to, host, name, { actorId: editor.name, title: editor.title, project });
  return {
    ...known,
    name,
    editor: editor.name,
    actorId: editor.name,
    project,
    ...key,
    ...(databaseUrl !== `sqlite:${join(dataDir, 'baton.db')}` && { databaseUrl }),
    files: known?.files ?? [],
  };
}

/** A team's server made the key; here it is only kept. */
async function remoteConnection(
  to: Connection,
  host: Host,
  editor: Editor,
  project: string,
  { url, key }: RemoteServer,
  known: ConnectionRecord | undefined,
): Promise<ConnectionRecord> {
  const name = connectionName(editor.name, project);
  const base = { ...known, name, editor: editor.name, project, url, files: known?.files ?? [] };
  if (key === undefined) return { ...base, actorId: editor.name, keyId: '', token: '' };
  const { actor_id, credential } = await ask(to, host, 'identity.whoami', {});
  return { ...base, actorId: actor_id, keyId: credential.id, token: key };
}

/** The project that an agent's key is for. A person's key is refused: whoever has the file could decide for them. */
export async function projectOfAgentKey(to: Connection, host: Host, editor: Editor): Promise<string> {
  const me = await ask(to, host, 'identity.whoami', {});
  if (me.actor_type === 'agent') return me.default_project;
  throw connectErrors.key_unfit({
    message: `The key is that of ${me.actor_id}, who is not an agent.`,
    next: `Create one on that server: baton keys create ${editor.name} --actor-type agent --role agent --projects ID --default-project ID`,
  });
}
