import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toHex } from '../../../kernel/hex.ts';
import { nodeRandom } from '../../../platform/node-random.ts';
import { connectErrors } from './errors.ts';

/** Far beyond what anybody configures. */
const LARGEST = 32 * 1024 * 1024;

/** Undefined where there is no file. What is no text could not be given back to the byte, so it is refused. */
export async function readText(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    const found = await stat(path);
    if (!found.isFile()) throw connectErrors.config_unusable({ message: `${path} is not a file.` });
    if (found.size > LARGEST)
      throw connectErrors.config_unusable({ message: `${path} is larger than 32 MiB.` });
    bytes = await readFile(path);
  } catch (fault) {
    if (['ENOENT', 'ENOTDIR'].includes((fault as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw fault;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw connectErrors.config_unusable({ message: `${path} is not UTF-8 text.`, cause });
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
  const temporary = `${target}.${toHex(nodeRandom.bytes(6))}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode);
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
