import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../app/settings.ts';

/** How an editor starts Baton. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** What an editor calls this server. */
export const SERVER_NAME = 'baton';

/** One way to write server entries into a text that belongs to the user: nothing else of it changes. */
export interface EntryFormat {
  /** Adds the entry, or corrects its members; members that the user added to it stay. */
  put(text: string, section: string, members: Readonly<Record<string, unknown>>): string;
  /** `dropSection`: also remove the section if nothing else is in it. */
  take(text: string, section: string, dropSection: boolean): string;
  read(text: string, section: string): ServerEntry | undefined;
  hasSection(text: string, section: string): boolean;
  /** Whether the text holds nothing any more. */
  isEmpty(text: string): boolean;
}

/** How an editor starts this very program as a connection. The key is not in it: the data directory holds that. */
export async function launchOf(connection: string, settings: Settings, places: Places): Promise<ServerEntry> {
  const script = await realpath(process.argv[1] ?? '');
  const usual = settings.dataDir === join(homedir(), '.baton');
  const args = ['mcp', '--as', connection, ...(usual ? [] : ['--data', settings.dataDir])];
  if (await isOnPath(script, places)) return { command: 'baton', args };
  // npx's cache may be gone tomorrow, and `npx baton` by itself is another package.
  if (/[/\\]_npx[/\\]/.test(script)) return { command: 'npx', args: ['-y', 'baton-ledger', ...args] };
  return { command: process.execPath, args: [script, ...args] };
}

/** By name, an entry works on every machine that has Baton installed. Windows starts no script by its name alone. */
async function isOnPath(script: string, { path, platform }: Places): Promise<boolean> {
  if (platform === 'win32') return false;
  for (const folder of path) {
    const found = await realpath(join(folder, 'baton')).catch(() => undefined);
    if (found !== undefined) return found === script;
  }
  return false;
}

/** Where this user's files are on this machine. */
export interface Places {
  readonly home: string;
  /** The folder that an editor opens. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `XDG_CONFIG_HOME` or `APPDATA`, where set. */
  readonly config: string | undefined;
  /** Folders in which programs are looked for. */
  readonly path: readonly string[];
}
