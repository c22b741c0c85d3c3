import { open, rename, rm } from 'node:fs/promises';
import { toHex } from '../kernel/hex.ts';
import { nodeRandom } from './node-random.ts';

/** Readable only by its owner; there with all its content, on disk, or not at all. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${toHex(nodeRandom.bytes(6))}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
