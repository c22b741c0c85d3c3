import { join } from 'node:path';
import type { Connection, Host } from '../host.ts';
import { ask } from '../operation.ts';
import { liveKeys, mintKey, revokeKeys } from './connection-key.ts';
import { type ConnectionRecord, connectionName, readConnection } from './connection-record.ts';
import type { Editor } from './editors.ts';
import { connectErrors } from './errors.ts';

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
): Promise<ConnectionRecord> {
  const { dataDir, databaseUrl } = host.settings;
  const name = connectionName(editor.name, project);
  const known = await readConnection(dataDir, name);
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
    name,
    editor: editor.name,
    actorId: editor.name,
    project,
    ...key,
    ...(databaseUrl !== `sqlite:${join(dataDir, 'baton.db')}` && { databaseUrl }),
    files: known?.files ?? [],
  };
}
