import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The folder that paths of anchors begin at: the nearest one above that git works in. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** How the repository is named elsewhere, for anchors that say which one they mean. */
export async function originOf(root: string): Promise<string | undefined> {
  const asked = await promisify(execFile)('git', ['-C', root, 'remote', 'get-url', 'origin']).catch(
    () => undefined,
  );
  return asked?.stdout.trim();
}
