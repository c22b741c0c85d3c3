import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { gitEnvironment, gitProgram } from '../repository/git.ts';
import type { GitHome } from '../repository/git-home.ts';
import { regularFile } from '../repository/keep.ts';

const MOST_BYTES = 512 * 1024 * 1024;
/** Beyond this one process costs less. */
const MOST_FILES = 32;
const HEADER = /^blob (\d+)$/;
const inflated = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(inflate);

/**
 * The contents of objects. What has just been written is a file of its own, and read without a process; git is asked, in
 * one process, for what is not.
 */
export async function readBlobs(
  root: string,
  oids: readonly string[],
  home?: GitHome,
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const wanted = [...new Set(oids)];
  if (home !== undefined && wanted.length <= MOST_FILES) {
    const found = await Promise.all(wanted.map((oid) => looseBlob(home, oid)));
    for (const [index, oid] of wanted.entries()) {
      const bytes = found[index];
      if (bytes !== undefined) blobs.set(oid, bytes);
    }
  }
  const missing = wanted.filter((oid) => !blobs.has(oid));
  if (missing.length === 0) return blobs;
  return new Map([...blobs, ...(await askGit(root, missing))]);
}

/** Undefined unless the file holds just the bytes that the object is named after. */
async function looseBlob({ commonDir }: GitHome, oid: string): Promise<Buffer | undefined> {
  const packed = await regularFile(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  if (typeof packed === 'string') return undefined;
  const whole = await inflated(packed, { maxOutputLength: MOST_BYTES }).catch(() => undefined);
  if (whole === undefined) return undefined;
  const end = whole.indexOf(0);
  const size = HEADER.exec(whole.subarray(0, Math.max(end, 0)).toString('latin1'))?.[1];
  const bytes = whole.subarray(end + 1);
  const digest = createHash(oid.length === 64 ? 'sha256' : 'sha1')
    .update(whole)
    .digest('hex');
  return Number(size) === bytes.length && digest === oid ? bytes : undefined;
}

async function askGit(root: string, oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const program = await gitProgram();
  const output = await new Promise<Buffer>((resolve, reject) => {
    const child = execFile(
      program,
      ['cat-file', '--batch'],
      { cwd: root, encoding: 'buffer', maxBuffer: MOST_BYTES, env: gitEnvironment() },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(`${oids.join('\n')}\n`);
  });
  const blobs = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    const [oid = '', , size] = output.subarray(at, end).toString('utf8').split(' ');
    if (size === undefined) {
      at = end + 1;
      continue;
    }
    const start = end + 1;
    blobs.set(oid, output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return blobs;
}
