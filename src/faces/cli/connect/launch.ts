import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../app/settings.ts';
import { type Places, programAt } from './places.ts';
import type { ServerEntry } from './server-entry.ts';

/** How a client starts this very program. No key is in it: the data directory holds that. */
export interface Launch {
  readonly command: string;
  /** Words before the verb, where the program is a script. */
  readonly before: readonly string[];
  /** Words after it: where the data is, unless it is at the usual place. */
  readonly after: readonly string[];
  readonly platform: NodeJS.Platform;
}

/**
 * `byName`: as every machine that has Baton would start it, for files that a team shares; these say nothing of this
 * machine's folders.
 */
export async function launchHere(settings: Settings, places: Places, byName = false): Promise<Launch> {
  const { platform } = places;
  if (byName) return { command: 'baton', before: [], after: [], platform };
  const script = await realpath(process.argv[1] ?? '');
  const usual = settings.dataDir === join(homedir(), '.baton');
  const after = usual ? [] : ['--data', settings.dataDir];
  // By name, an entry survives an upgrade. Windows starts no script by its name alone.
  if (platform !== 'win32' && (await programAt('baton', places)) === script) {
    return { command: 'baton', before: [], after, platform };
  }
  // npx's cache may be gone tomorrow, and `npx baton` by itself is another package.
  if (/[/\\]_npx[/\\]/.test(script))
    return { command: 'npx', before: ['-y', 'baton-ledger'], after, platform };
  return { command: process.execPath, before: [script], after, platform };
}

export function mcpEntry({ command, before, after }: Launch, ...as: string[]): ServerEntry {
  return { command, args: [...before, 'mcp', ...as, ...after] };
}

export function hookWords({ command, before, after }: Launch, client: string): readonly string[] {
  return [command, ...before, 'hook', client, ...after];
}

/** One line for the shell that a client hands it to. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (platform === 'win32' ? windowsWord(word) : posixWord(word))).join(' ');
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function windowsWord(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
