import { statSync } from 'node:fs';
import { makePrivateFolder, protectFolder } from '../platform/private-files.ts';
import { appErrors } from './errors.ts';
import type { Log } from './log.ts';

/** One of these says that a folder is a data directory of ours. */
const OURS = ['baton.db', 'owner.key', 'journal.key'];
const READ_BY_ANYONE = 0o007;

/**
 * The data directory, for its user alone. One of an earlier version that others could read is closed to them; a folder
 * with other things in it, such as `/tmp`, is not ours to close, and is refused.
 */
export function prepareDataFolder(path: string, log: Log): void {
  try {
    makePrivateFolder(path);
    const state = protectFolder(path, OURS);
    if (state === 'protected')
      log.warn({ path }, 'others could read the data directory; its mode is now 700');
    if (state !== 'shared') return;
  } catch (cause) {
    throw appErrors.data_unusable({ message: `${path} cannot be used.`, cause });
  }
  // A volume that is shared with a group by whoever runs us is theirs to answer for; the files are closed in any case.
  if ((statSync(path).mode & READ_BY_ANYONE) === 0) return;
  throw appErrors.data_unusable({
    message: `Anyone on this machine can read ${path}, and it is not a folder of Baton’s alone.`,
    next: `Choose a folder of its own with \`--data DIR\`, or close this one: chmod 700 '${path}'.`,
  });
}
