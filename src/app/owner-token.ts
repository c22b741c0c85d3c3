import { ownerKeyPath, readOwnerKeyFile } from '../spine/identity/keys/owner-key-file.ts';

/** The owner key of a data directory; undefined if there is none, or it is not ours to read. */
export async function readOwnerToken(dataDir: string): Promise<string | undefined> {
  return (await readOwnerKeyFile(ownerKeyPath(dataDir)))?.trim();
}
