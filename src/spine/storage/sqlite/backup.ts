import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup } from '@photostructure/sqlite';
import { BatonError } from '../../../kernel/error.ts';
import { storageErrors } from '../errors.ts';
import { Connection } from './connection.ts';
import { unavailable } from './sqlite-error.ts';
import { inThread } from './thread.ts';

const PAGES_PER_STEP = 256;

/** Copies beside the target, checks the copy, and only then gives it its name; an existing file is never touched. */
export async function backupTo(
  source: string,
  target: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  const partial = `${target}.${randomBytes(6).toString('hex')}.partial`;
  await reserve(target, partial);
  try {
    await copyPages(source, partial, progress);
    await finishCopy(partial);
    await flush(partial);
    await giveName(partial, target);
    await flush(dirname(target));
  } catch (error) {
    throw error instanceof BatonError ? error : unavailable(error);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(partial + suffix, { force: true });
  }
}

async function reserve(target: string, partial: string): Promise<void> {
  const existing = await open(target, 'r').catch(() => undefined);
  await existing?.close();
  if (existing !== undefined) throw alreadyThere(target);
  try {
    await (await open(partial, 'wx', 0o600)).close();
  } catch (cause) {
    throw storageErrors.backup_refused({ message: `No file can be written beside ${target}.`, cause });
  }
}

/** An open read transaction holds the source still, or each commit of the server would start the copy over. */
async function copyPages(
  source: string,
  partial: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  const connection = Connection.openReader(source);
  try {
    connection.exec('begin');
    connection.get('select count(*) as n from sqlite_schema');
    await backup(connection.native, partial, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    });
    connection.exec('rollback');
  } finally {
    connection.close();
  }
}

async function giveName(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw alreadyThere(target);
    // Some file systems know no second name for a file.
    await copyFile(partial, target, constants.COPYFILE_EXCL);
    await flush(target);
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function alreadyThere(target: string): Error {
  return storageErrors.backup_refused({ message: `${target} exists already and is left as it is.` });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Reads every page, and leaves one file without a WAL. */
const SCRIPT = `
  const db = new DatabaseSync(path);
  const faults = db.prepare('pragma integrity_check').all().map((row) => row.integrity_check);
  db.exec('pragma journal_mode = delete');
  db.close();
  return faults;
`;

async function finishCopy(path: string): Promise<void> {
  const faults = await inThread<readonly string[]>(path, SCRIPT);
  if (faults.length !== 1 || faults[0] !== 'ok') {
    throw storageErrors.storage_unavailable({
      message: `The copy is damaged, and so may the data file be: ${faults.slice(0, 3).join('; ')}.`,
      next: 'Check the disk, and keep the last good backup.',
      details: { faults },
    });
  }
}
