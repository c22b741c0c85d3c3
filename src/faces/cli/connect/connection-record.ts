import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../../app/settings.ts';
import { makePrivateFolder } from '../../../platform/private-files.ts';
import { connectErrors } from './errors.ts';
import { readText, replaceText } from './text-file.ts';

/** A file that was changed for a connection, and what was made of it, so that it can be undone. */
export interface Touched {
  readonly path: string;
  readonly kind: 'entry' | 'instructions';
  readonly madeFile: boolean;
  readonly madeSection: boolean;
}

/** What the data directory keeps of a connection. It holds the key, so only its owner may read it. */
export interface ConnectionRecord {
  readonly name: string;
  readonly editor: string;
  readonly actorId: string;
  readonly project: string;
  readonly keyId: string;
  readonly token: string;
  /** Where the store is no file of the data directory: an editor does not hand on our environment. */
  readonly databaseUrl?: string;
  readonly files: readonly Touched[];
}

export function connectionName(editor: string, project: string): string {
  return `${editor}@${project}`;
}

export async function readConnection(dataDir: string, name: string): Promise<ConnectionRecord | undefined> {
  const text = await readText(fileOf(dataDir, name));
  return text === undefined ? undefined : (JSON.parse(text) as ConnectionRecord);
}

export async function writeConnection(dataDir: string, record: ConnectionRecord): Promise<void> {
  makePrivateFolder(folderOf(dataDir));
  await replaceText(fileOf(dataDir, record.name), `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

export async function forgetConnection(dataDir: string, name: string): Promise<void> {
  await rm(fileOf(dataDir, name), { force: true });
}

export async function listConnections(dataDir: string): Promise<ConnectionRecord[]> {
  const files = await readdir(folderOf(dataDir)).catch(() => []);
  const names = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  const records = await Promise.all(
    names.sort().map((name) => readConnection(dataDir, decodeURIComponent(name))),
  );
  return records.filter((record) => record !== undefined);
}

/** The settings of a process that an editor starts as a connection. */
export async function settingsAs(settings: Settings, name: string): Promise<Settings> {
  const record = await readConnection(settings.dataDir, name);
  if (!record) {
    throw connectErrors.connection_unknown({ message: `${settings.dataDir} holds no connection ${name}.` });
  }
  const { token, databaseUrl = settings.databaseUrl } = record;
  return { ...settings, token, databaseUrl };
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'connections');
}

function fileOf(dataDir: string, name: string): string {
  return join(folderOf(dataDir), `${encodeURIComponent(name)}.json`);
}
