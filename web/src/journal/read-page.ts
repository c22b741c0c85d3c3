import { BatonRequestError, type Operations, type Result } from '@baton/client';
import { sendForText } from '../api/send-text.ts';
import { checkEntries, type EntryCheck } from '../api/verify.ts';

type JournalEntry = Result<Operations['journal.changes']>['events'][number];

export interface PageQuery {
  readonly project: string | undefined;
  /** A type or a family, as `package.*`. */
  readonly type: string | undefined;
  /** The reader sees only some projects, so the numbers of what it sees have gaps. */
  readonly partial: boolean;
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

const PAGE_SIZE = 50;
const WINDOW = 1000;
const WINDOWS_AT_ONCE = 10;

/** The number that cursors count by: of the project when one is chosen, of the whole store otherwise. */
function numberOf(entry: JournalEntry, project: string | undefined): number {
  return project === undefined ? entry.leaf : entry.project_seq;
}

export async function readJournalPage(query: PageQuery, signal: AbortSignal): Promise<JournalPageData> {
  const { before } = query;
  if (before === undefined) {
    const entries = await request(query, { newest: true, limit: PAGE_SIZE }, signal);
    return entries.length < PAGE_SIZE ? { entries, older: undefined } : pageOf(entries, query);
  }
  const gapless = query.type === undefined && (query.project !== undefined || !query.partial);
  return gapless
    ? pageOf(await readWindow(query, before, PAGE_SIZE, signal), query)
    : readFiltered(query, before, signal);
}

/** Numbers have no gaps, so the entries before a number are those after another. */
async function readWindow(
  query: PageQuery,
  before: number,
  size: number,
  signal: AbortSignal,
): Promise<CheckedEntry[]> {
  const after = Math.max(firstNumber(query) - 1, before - size - 1);
  try {
    const found = await request(query, { after, limit: before - 1 - after }, signal);
    return found.filter(({ entry }) => numberOf(entry, query.project) < before);
  } catch (error) {
    const oldest = oldestOf(error);
    if (oldest === undefined || oldest >= before) throw error;
    return readWindow(query, before, before - oldest, signal);
  }
}

/** Filtered entries may be far apart: looks back window by window, and stops to ask after a while. */
async function readFiltered(query: PageQuery, from: number, signal: AbortSignal): Promise<JournalPageData> {
  const entries: CheckedEntry[] = [];
  let before = from;
  for (let looked = 0; looked < WINDOWS_AT_ONCE && before > firstNumber(query); looked += 1) {
    entries.push(...(await readWindow(query, before, WINDOW, signal)));
    before = Math.max(firstNumber(query), before - WINDOW);
    if (entries.length >= PAGE_SIZE) return pageOf(entries.slice(0, PAGE_SIZE), query, before);
  }
  return pageOf(entries, query, before);
}

async function request(
  query: PageQuery,
  more: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CheckedEntry[]> {
  const { project, type } = query;
  const text = await sendForText(
    'journal.changes',
    { ...more, ...(project && { project }), ...(type && { types: [type] }) },
    signal,
  );
  const { events } = JSON.parse(text) as Result<Operations['journal.changes']>;
  const checks = new Map(checkEntries(text).map((check) => [check.leaf, check]));
  return events
    .map((entry) => ({
      entry,
      check: checks.get(entry.leaf) ?? {
        leaf: entry.leaf,
        hash: 'mismatch' as const,
        link: 'unseen' as const,
      },
    }))
    .sort((a, b) => b.entry.leaf - a.entry.leaf);
}

function pageOf(entries: readonly CheckedEntry[], query: PageQuery, lookedTo?: number): JournalPageData {
  const last = entries.at(-1);
  const reached =
    entries.length < PAGE_SIZE && lookedTo !== undefined
      ? lookedTo
      : last && numberOf(last.entry, query.project);
  return { entries, older: reached !== undefined && reached > firstNumber(query) ? reached : undefined };
}

function firstNumber(query: PageQuery): number {
  return query.project === undefined ? 0 : 1;
}

/** What retention has left, as the refusal of an older cursor says. */
function oldestOf(error: unknown): number | undefined {
  const expired = error instanceof BatonRequestError && error.code === 'cursor_expired';
  const oldest = expired ? (error.details as { oldest?: unknown } | undefined)?.oldest : undefined;
  return typeof oldest === 'number' ? oldest : undefined;
}

/** One entry by its place in the whole store. */
export async function readEntry(leaf: number, signal: AbortSignal): Promise<CheckedEntry | undefined> {
  const found = await request(
    { project: undefined, type: undefined, partial: false, before: undefined },
    { after: leaf - 1, limit: 1 },
    signal,
  );
  return found.find(({ entry }) => entry.leaf === leaf);
}
