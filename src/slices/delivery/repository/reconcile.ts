import { lstat, mkdir, readFile, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatMillis } from '../../../kernel/instant.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';
import { appendText, readRows, rowsText } from './files.ts';
import { GOVERNED_FOLDER, governedPaths, OWN_FOLDERS } from './governed.ts';
import {
  type Finding,
  filesBelow,
  type Keep,
  type KeepRecord,
  promptPaths,
  readRecord,
  regularFile,
  replaceFile,
  writeRecord,
} from './keep.ts';
import { readLeases } from './leases.ts';
import { FILES, within } from './paths.ts';
import { type Answer, answerTo } from './rules/outside-changes.ts';

/** Governed files that are not as Baton last wrote them. */
export async function changesOutside(
  root: string,
  keep: Keep,
  record: KeepRecord,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const folder of OWN_FOLDERS) {
    const info = await lstat(within(root, folder)).catch(() => undefined);
    if (info !== undefined && !info.isDirectory()) changed.push(folder);
  }
  if (changed.length > 0) return changed;
  const paths = await allGoverned(root, keep, record);
  const same = await Promise.all(
    paths.map(async (path) => isSame(within(root, path), within(keep.copies, path))),
  );
  return paths.filter((_path, index) => same[index] !== true);
}

async function allGoverned(root: string, keep: Keep, record: KeepRecord): Promise<readonly string[]> {
  const queued = await Promise.all([root, keep.copies].map((each) => filesBelow(each, GOVERNED_FOLDER)));
  return [...new Set([...governedPaths(record.prompts), ...queued.flat()])];
}

async function isSame(file: string, copy: string): Promise<boolean> {
  const [a, b] = await Promise.all([regularFile(file), regularFile(copy)]);
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.equals(b);
}

/** Takes the governed files as they are, all of them or the named ones, as what Baton compares with from now on. */
export async function pin(root: string, keep: Keep, paths?: readonly string[]): Promise<void> {
  const rawConfig = tryParse(await readFile(within(root, FILES.config)).catch(() => ''));
  const prompts = promptPaths(rawConfig);
  const record = await writeRecord(keep, { prompts });
  for (const path of paths ?? (await allGoverned(root, keep, record))) {
    const bytes = await regularFile(within(root, path));
    const copy = within(keep.copies, path);
    if (typeof bytes === 'string') await rm(copy, { force: true });
    else await replaceFile(copy, bytes);
  }
  for (const path of prompts) {
    const bytes = await regularFile(within(root, path));
    if (typeof bytes !== 'string') await replaceFile(within(keep.copies, path), bytes);
  }
  if (!record.pinned) await writeRecord(keep, { pinned: true });
}

/** Puts governed files back as they were, and keeps what was there instead. Returns where. */
export async function restore(
  root: string,
  keep: Keep,
  paths: readonly string[],
  stamp: string,
): Promise<string> {
  const aside = join(keep.dir, 'found', stamp.replaceAll(/[:.]/g, '-'));
  for (const path of paths) {
    const file = within(root, path);
    if (OWN_FOLDERS.includes(path)) {
      await unlink(file);
      continue;
    }
    const found = await regularFile(file);
    if (typeof found !== 'string') {
      await mkdir(dirname(within(aside, path)), { recursive: true });
      await replaceFile(within(aside, path), found);
    }
    const copy = await regularFile(within(keep.copies, path));
    if (typeof copy === 'string') await rm(file, { recursive: true, force: true });
    else await replaceFile(file, copy);
  }
  return aside;
}

export async function noteFinding(keep: Keep, finding: Finding): Promise<void> {
  await appendText(join(keep.dir, 'findings.jsonl'), rowsText([finding]));
}

export async function readFindings(keep: Keep): Promise<readonly Finding[]> {
  return (await readRows(join(keep.dir, 'findings.jsonl'))) as unknown as readonly Finding[];
}

/**
 * Compares the governed files with what Baton wrote, before anything relies on them. What changed while a turn was at work
 * is put back; what another runner changed is taken over where the configuration says so; anything else is a person's to
 * judge.
 */
export async function reconcile(
  root: string,
  keep: Keep,
  now: Parameters<typeof formatMillis>[0],
): Promise<void> {
  const record = await readRecord(keep);
  if (!record.pinned) return pin(root, keep);
  for (let round = 0; round < 2; round += 1) {
    const paths = await changesOutside(root, keep, record);
    if (paths.length === 0) return;
    const answer = answerTo(paths, await seen(root, keep, record));
    await carryOut(root, keep, paths, answer, formatMillis(now));
  }
}

async function seen(root: string, keep: Keep, record: KeepRecord) {
  const read = async (base: string, path: string) =>
    tryParse(await readFile(within(base, path)).catch(() => ''));
  return {
    prompts: record.prompts,
    attached: record.attached !== null,
    config: await read(keep.copies, FILES.config),
    before: await read(keep.copies, FILES.state),
    after: await read(root, FILES.state),
    agents: await agentsAtWork(keep),
  };
}

/** Turns that an agent of ours was handed and has not answered: nobody else may write meanwhile. */
async function agentsAtWork(keep: Keep): Promise<readonly string[]> {
  return (await readLeases(keep)).filter((lease) => lease.holder !== null).map((lease) => lease.turn_id);
}

async function carryOut(
  root: string,
  keep: Keep,
  paths: readonly string[],
  answer: Answer,
  at: string,
): Promise<void> {
  if (answer.action === 'adopt') {
    await pin(root, keep, paths);
    return noteFinding(keep, { at, kind: 'adopted', paths, turns: [], by: answer.because });
  }
  if (answer.action === 'refuse') {
    throw deliveryErrors.changed_outside({
      message: `Somebody other than Baton changed ${paths.join(', ')}. ${answer.because}`,
      details: { paths },
    });
  }
  const saved = await restore(root, keep, paths, at);
  const known = (await readRecord(keep)).suspects;
  const suspects = Object.fromEntries(
    answer.turns.map((id) => [id, [...new Set([...(known[id] ?? []), ...paths])]]),
  );
  await noteFinding(keep, { at, kind: 'restored', paths, turns: answer.turns, saved });
  await writeRecord(keep, { suspects: { ...known, ...suspects } });
}
