import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Repositories name their objects by SHA-1, newer ones by SHA-256; the length of an id says which. */
export type ObjectFormat = 'sha1' | 'sha256';

/** What `git hash-object --no-filters` prints for a file; undefined if there is none. */
export async function blobIdOf(path: string, format: ObjectFormat = 'sha1'): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    const target = Buffer.from(await readlink(path));
    return beginBlob(format, target.length).update(target).digest('hex');
  }
  if (!found?.isFile()) return undefined;
  const hash = beginBlob(format, found.size);
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) hash.update(chunk);
  });
  return hash.digest('hex');
}

function beginBlob(format: ObjectFormat, size: number) {
  return createHash(format).update(`blob ${size}\0`);
}
