import type { Operations, Result } from '@baton-ledger/client';
import { sendForText } from '../api/send-text.ts';
import { checkEntries, type EntryCheck } from '../api/verify.ts';

type JournalEntry = Result<Operations['journal.changes']>['events'][number];

export interface PageQuery {
  readonly project: string | undefined;
  /** A type or a family, as `package.*`. */
  readonly type: string | undefined;
  /** Only what stands before this number; the newest without it. */
  readonly before: number | undefined;
}

export interface CheckedEntry {
  readonly entry: JournalEntry;
  readonly check: EntryCheck;
}

export interface JournalPageData {
  /** Newest first. */
  readonly entries: readonly CheckedEntry[];
  /** Where the next older page ends; undefined at the beginning of the journal. */
  readonly older: number | undefined;
}

export const PAGE_SIZE = 50;

export async function readJournalPage(query: PageQuery, signal: AbortSignal): Promise<JournalPageData> {
  const { before } = query;
  const back = { limit: PAGE_SIZE, ...(before === undefined ? { newest: true } : { before }) };
  const { entries, previous } = await request(query, back, signal);
  return { entries, older: previous ?? undefined };
}

async function request(
  query: PageQuery,
  more: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ entries: CheckedEntry[]; previous: number | null | undefined }> {
  const { project, type } = query;
  const text = await sendForText(
    'journal.changes',
    { ...more, ...(project && { project }), ...(type && { types: [type] }) },
    signal,
  );
  const { events, previous } = JSON.parse(text) as Result<Operations['journal.changes']>;
  const checks = new Map(checkEntries(text).map((check) => [check.leaf, check]));
  const entries = events
    .map((entry) => ({
      entry,
      check: checks.get(entry.leaf) ?? {
        leaf: entry.leaf,
        hash: 'mismatch' as const,
        link: 'unseen' as const,
      },
    }))
    .sort((a, b) => b.entry.leaf - a.entry.leaf);
  return { entries, previous };
}

/** One entry by its place in the whole store. */
export async function readEntry(leaf: number, signal: AbortSignal): Promise<CheckedEntry | undefined> {
  const anything = { project: undefined, type: undefined, before: undefined };
  const { entries } = await request(anything, { after: leaf - 1, limit: 1 }, signal);
  return entries.find(({ entry }) => entry.leaf === leaf);
}
