import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

let counter = 0;

/** Leaves the old file or the new one, never a part: writes beside it, flushes, renames, flushes the directory. */
export async function writeAtomically(file: string, data: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  counter += 1;
  const temporary = `${file}.${process.pid}-${counter}.tmp`;
  try {
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushDirectory(dirname(file));
}

export async function flushDirectory(directory: string): Promise<void> {
  // Windows cannot flush a directory; there the file system journals the rename.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
