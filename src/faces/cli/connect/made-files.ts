import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Touched } from './connection-record.ts';
import { missingFolders } from './file-edits.ts';
import type { Repository } from './repository.ts';
import { refuseWayOut } from './repository-paths.ts';
import { digestOf } from './undo-files.ts';

/** Makes a file of the repository that is Baton's own; undefined where there is one already. */
export async function makeFile(
  repository: Repository,
  name: string,
  text: string,
): Promise<Touched | undefined> {
  const path = join(repository.root, name);
  await refuseWayOut(repository, path);
  const madeFolders = await missingFolders(path);
  await mkdir(dirname(path), { recursive: true });
  try {
    const file = await open(path, 'wx', 0o644);
    await file.writeFile(text).finally(() => file.close());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  return {
    path,
    kind: 'made',
    madeFile: true,
    madeSection: false,
    repository: repository.root,
    madeFolders,
    digest: digestOf(text),
  };
}
