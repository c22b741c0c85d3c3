import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Ends = (() => unknown)[];

/** What was begun last ends first. */
export async function endAll(ends: Ends): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

const KEYS = ['journal.key', 'journal.pub', 'owner.key'];

/** For a server, or for another one of the same store. */
export async function newDataDir(ends: Ends, sameAs?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-fleet-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  if (sameAs !== undefined) {
    for (const name of KEYS) await copyFile(join(sameAs, name), join(folder, name));
  }
  return folder;
}
