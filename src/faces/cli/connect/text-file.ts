import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
}

/**
 * The old file or the new one, never a part; with the old one's permissions. A link stays a link: people keep their
 * configuration elsewhere and link to it.
 */
export async function replaceText(path: string, text: string, modeOfNew = 0o644): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => modeOfNew,
  );
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
