import { existsSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { placesHere, programAt } from '../connect/places.ts';
import { readText } from '../connect/text-file.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { type Check, checked, fail, ok, warn } from './check.ts';

/** From the program to the store. */
export async function machineChecks(host: Host): Promise<Check[]> {
  return [
    await programCheck(host),
    settingsCheck(host),
    await checked('data folder', () => folderCheck(host)),
    await checked('store', () => storeCheck(host)),
    await checked('hooks.log', () => logCheck(host)),
  ];
}

async function programCheck({ version }: Host): Promise<Check> {
  const found = await programAt('baton', placesHere());
  const detail = `baton ${version}, Node ${process.versions.node}`;
  return found === undefined
    ? warn(
        'program',
        `${detail}; not on your PATH`,
        'npm install -g baton-ledger, so that entries survive a move.',
      )
    : ok('program', detail);
}

/** The server starts in spite of one, and warns; here somebody looks. */
function settingsCheck({ settings: { unknown } }: Host): Check {
  if (unknown.length === 0) return ok('settings', 'no BATON_ variable is unknown');
  return fail(
    'settings',
    unknown.map(({ name, problem }) => `${name} ${problem}`).join('; '),
    'Correct or unset them; docs/operations.md lists all settings.',
  );
}

const OTHERS = 0o077;

async function folderCheck({ settings: { dataDir } }: Host): Promise<Check> {
  // Whoever asks before anything else has none yet, and nothing is wrong with that.
  if (!existsSync(dataDir)) return ok('data folder', `${dataDir}, made with the first command`);
  const { mode } = await stat(dataDir);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return ok('data folder', dataDir);
  return {
    ...fail('data folder', `${dataDir} can be read by others, and keys are in it.`, `chmod 700 '${dataDir}'`),
    fix: async () => {
      await chmod(dataDir, 0o700);
      return `closed ${dataDir} to others`;
    },
  };
}

async function storeCheck(host: Host): Promise<Check> {
  return withConnection(host, async (to) => {
    const me = await ask(to, host, 'identity.whoami', {});
    const where = to.where === 'embedded' ? 'embedded; no server is running' : to.where;
    const detail = `answers ${me.actor_id} (${where})`;
    return me.passphrase_set || me.passkeys > 0
      ? ok('store', detail)
      : warn(
          'store',
          `${detail}; no passphrase is set`,
          'Set one in a terminal of your own: baton passphrase',
        );
  });
}

const DAY_MS = 86_400_000;

/** Hooks never fail their client: what went wrong is only in their log. */
async function logCheck({ settings: { dataDir } }: Host): Promise<Check> {
  const path = join(dataDir, 'hooks.log');
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const recent = ((await readText(path)) ?? '')
    .split('\n')
    .map(readLine)
    .filter(({ at }) => at > since);
  const last = recent.at(-1);
  if (!last) return ok('hook log', 'no failures in the last 24 hours');
  const detail = `${recent.length} ${recent.length === 1 ? 'failure' : 'failures'} in 24 hours, the last at ${last.what}: ${last.reason}`;
  return warn('hook log', detail, `See ${path}`);
}

function readLine(line: string): { readonly at: string; readonly what: string; readonly reason: string } {
  try {
    return JSON.parse(line);
  } catch {
    return { at: '', what: '', reason: '' };
  }
}
