import { readdir, rm } from 'node:fs/promises';
import { makePrivateFolder } from '../../../platform/private-files.ts';
import { connectionFile, connectionsFolder } from './connection-place.ts';
import type { Patch } from './patch.ts';
import { readText, replaceText } from './text-file.ts';

/** A file that was changed for a connection, and what was made of it, so that it can be undone. */
export interface Touched {
  readonly path: string;
  /** `made`: a file of the repository that is Baton's own, such as the starter rules. */
  readonly kind: 'entry' | 'hooks' | 'approval' | 'plugin' | 'trust' | 'instructions' | 'exclude' | 'made';
  readonly madeFile: boolean;
  readonly madeSection: boolean;
  /** The repository that it was changed for; absent where it serves all of them. */
  readonly repository?: string;
  /** Folders that were made on the way to it, the outermost first. */
  readonly madeFolders?: readonly string[];
  /** While this is still in the file, taking it out gives the file back to the byte. */
  readonly patch?: Patch;
  /** Which of a client's hooks were marked as trusted. */
  readonly keys?: readonly string[];
  /** SHA-256 of a file that is ours as a whole: one that somebody changed stays. */
  readonly digest?: string;
}

export interface HookChoices {
  readonly enabled: boolean;
  /** Whether the words of prompts are recorded. */
  readonly prompts: boolean;
  /** Whether a hook that cannot run stops the call, in clients that can be told so. */
  readonly strict?: boolean;
}

export interface PinnedRules {
  readonly id: string;
  readonly version: string;
  readonly digest: string;
  readonly mode: 'enforce' | 'log_only';
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
  /** A team's server, in the place of the store of this machine. */
  readonly url?: string;
  readonly files: readonly Touched[];
  /** Roots of the repositories that a person bound to it. What a repository says of itself binds nothing. */
  readonly repositories?: readonly string[];
  /** Whose files its entries are in, where the person chose other than their own in the repository. */
  readonly placement?: 'team' | 'global';
  /** On, with prompts, where absent. */
  readonly hooks?: HookChoices;
  /** Roots of repositories in which the person switched the hooks off. */
  readonly offIn?: readonly string[];
  /** The rules that were loaded last, by digest: without a store, the hook decides by no others. */
  readonly atlas?: PinnedRules;
}

export async function readConnection(dataDir: string, name: string): Promise<ConnectionRecord | undefined> {
  const text = await readText(connectionFile(dataDir, name));
  return text === undefined ? undefined : (JSON.parse(text) as ConnectionRecord);
}

export async function writeConnection(dataDir: string, record: ConnectionRecord): Promise<void> {
  makePrivateFolder(connectionsFolder(dataDir));
  await replaceText(connectionFile(dataDir, record.name), `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

export async function forgetConnection(dataDir: string, name: string): Promise<void> {
  await rm(connectionFile(dataDir, name), { force: true });
}

export async function listConnections(dataDir: string): Promise<ConnectionRecord[]> {
  const files = await readdir(connectionsFolder(dataDir)).catch(() => []);
  const names = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  const records = await Promise.all(
    names.sort().map((name) => readConnection(dataDir, decodeURIComponent(name))),
  );
  return records.filter((record) => record !== undefined);
}
