import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../app/settings.ts';
import type { Places } from './places.ts';
import type { ServerEntry } from './server-entry.ts';

/** How an editor starts this very program as a connection. The key is not in it: the data directory holds that. */
export async function launchOf(connection: string, settings: Settings, places: Places): Promise<ServerEntry> {
  const script = await realpath(process.argv[1] ?? '');
  const usual = settings.dataDir === join(homedir(), '.baton');
  const args = ['mcp', '--as', connection, ...(usual ? [] : ['--data', settings.dataDir])];
  if (await isOnPath(script, places)) return { command: 'baton', args };
  // What `npx` fetched stands in a cache that may be gone tomorrow; `npx baton` alone is another package.
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
