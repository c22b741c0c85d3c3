import { chmod, constants, copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toHex } from '../../../kernel/hex.ts';
import { nodeRandom } from '../../../platform/node-random.ts';
import { makePrivateFolder } from '../../../platform/private-files.ts';

/** Of several processes that start at once, one writes the file; all then read the same key. Never a torn file. */
export async function createOwnerKeyFile(path: string, token: string): Promise<void> {
  await viaTemporary(path, token, async (temporary) => {
    await link(temporary, path)
      .catch((fault: NodeJS.ErrnoException) => {
        if (fault.code === 'EEXIST') return;
        // Some file systems have no links.
        return copyFile(temporary, path, constants.COPYFILE_EXCL);
      })
      .catch((fault: NodeJS.ErrnoException) => {
        if (fault.code !== 'EEXIST') throw fault;
      });
  });
}

export async function replaceOwnerKeyFile(path: string, token: string): Promise<void> {
  await viaTemporary(path, token, (temporary) => rename(temporary, path));
}

export async function protectOwnerKeyFile(path: string): Promise<void> {
  await chmod(path, 0o600);
}

async function viaTemporary(
  path: string,
  token: string,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${toHex(nodeRandom.bytes(6))}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
    await file.close();
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
