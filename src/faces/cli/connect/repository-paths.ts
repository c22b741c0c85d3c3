import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connectErrors } from './errors.ts';
import { isInside, type Repository } from './repository.ts';

/** A repository comes from others: a link in it may lead to any file of this user. */
export async function refuseWayOut({ root }: Repository, path: string): Promise<void> {
  for (let at = path; isInside(root, at) && at !== root; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined) {
      if (await lstat(at).catch(() => undefined)) throw wayOut(at);
      continue;
    }
    if (!isInside(root, real)) throw wayOut(at);
    return;
  }
}

function wayOut(path: string) {
  return connectErrors.config_unusable({
    message: `${path} is a link that leads out of the repository.`,
    next: 'Replace it by a file, or write into your own files with `--global`.',
  });
}
