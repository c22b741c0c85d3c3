import { setTimeout as sleep } from 'node:timers/promises';
import { type SyncPage, type SyncRequest, undefinedIfExpired, WAIT_SECONDS } from './page.ts';
import type { Change, StandardReader } from './standard-reader.ts';

const PREFIX = 'changes:';
const PACKAGES_AT_ONCE = 20;
const FACTS_AT_ONCE = 1000;

/** Whether these pages wrote the cursor. */
export function isStandardCursor(cursor: string | undefined): boolean {
  return cursor?.startsWith(PREFIX) ?? false;
}

/**
 * From any server of the protocol, by what it answers to everybody: all of it first, then what `changes` names. Where
 * there are no changes to ask for, everything is read again.
 */
export async function* standardPages(
  reader: StandardReader,
  { cursor, watch }: Omit<SyncRequest, 'projectId'>,
): AsyncGenerator<SyncPage> {
  const wait = watch ? WAIT_SECONDS : 0;
  let since = isStandardCursor(cursor) ? Number(cursor?.slice(PREFIX.length)) : undefined;
  for (;;) {
    if (since === undefined) {
      since = yield* copy(reader);
      if (since === undefined && !watch) return;
      if (since === undefined) await sleep(WAIT_SECONDS * 1000);
      continue;
    }
    const page = await reader.changes({ since, wait }).catch(undefinedIfExpired);
    if (page) yield* changed(reader, page.changes);
    if (page && page.next !== since) yield { batch: {}, cursor: `${PREFIX}${page.next}` };
    since = page?.next;
    if (page?.changes.length === 0 && !watch) return;
  }
}

/** Returns the next cursor. */
async function* copy(reader: StandardReader): AsyncGenerator<SyncPage, number | undefined> {
  // First of all, so that changes made meanwhile are reported afterwards.
  const head = await newestChange(reader);
  yield* everything(reader);
  if (head !== undefined) yield { batch: {}, cursor: `${PREFIX}${head}` };
  return head;
}

async function* everything(reader: StandardReader): AsyncGenerator<SyncPage> {
  const project = await reader.project();
  if (project !== undefined) yield { batch: { projects: [project] } };
  yield* packagePages(reader, await reader.packageIds());
  yield* factPages(reader);
}

async function* changed(reader: StandardReader, changes: readonly Change[]): AsyncGenerator<SyncPage> {
  const about = (family: string) => changes.filter(({ type }) => type.startsWith(`${family}.`));
  const project = about('project').length > 0 ? await reader.project() : undefined;
  if (project !== undefined) yield { batch: { projects: [project] } };
  yield* packagePages(reader, [...new Set(about('package').flatMap(({ ids }) => ids.package_id ?? []))]);
  // Facts have no address of their own: their history is short, and what is known of it changes nothing.
  if (about('fact').length > 0) yield* factPages(reader);
}

async function* packagePages(reader: StandardReader, ids: readonly string[]): AsyncGenerator<SyncPage> {
  for (let at = 0; at < ids.length; at += PACKAGES_AT_ONCE) {
    yield await reader.packages(ids.slice(at, at + PACKAGES_AT_ONCE));
  }
}

async function* factPages(reader: StandardReader): AsyncGenerator<SyncPage> {
  const facts = await reader.facts();
  for (let at = 0; at < facts.length; at += FACTS_AT_ONCE) {
    yield { batch: { facts: facts.slice(at, at + FACTS_AT_ONCE) } };
  }
}

/** Our servers return the end at once; for a server that does not know `from`, all pages are read. */
async function newestChange(reader: StandardReader): Promise<number | undefined> {
  let page = await reader.changes({ from: 'now' });
  while (page && page.changes.length > 0) page = await reader.changes({ since: page.next });
  return page?.next;
}
