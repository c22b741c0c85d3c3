/** Impact on what a project recorded: read page by page here, decided again where expensive work is done. */
import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Task } from '../../../platform/bounded-work/bounded-work.ts';
import { giveTurn } from '../../../platform/turn.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { Atlas } from '../atlases/rules/atlas.ts';
import { countUnrecorded } from '../execution/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import { selectInputRows } from '../resolution/store.ts';
import { callOf, inputOf } from '../sealed.ts';
import { type RecordedInput, recordedInputSchema } from '../traces/schema.ts';
import { type After, type CallRow, countCalls, type Stretch, selectCalls } from './call-store.ts';
import { readCallLine } from './recorded-call.ts';
import { type ImpactQuestion, measureImpact } from './rules/impact.ts';
import { longestWindow } from './rules/longest-window.ts';
import type { Impact, SkipReason } from './schema.ts';

export interface ImpactRequest extends Omit<ImpactQuestion, 'from'> {
  readonly from: Micros | undefined;
  readonly to: Micros | undefined;
}

const PAGE = 500;
/** More are not compared at once; those left out are counted. */
const MOST_RECORDS = 50_000;

interface Gathered {
  /** Lines of JSON. */
  readonly inputs: string[];
  readonly calls: { readonly line: string; readonly failed: Micros | null }[];
  readonly skips: Map<SkipReason, number>;
}

export async function impactOnProject(deps: GovernanceDeps, request: ImpactRequest): Promise<Impact> {
  const { projectId, next, from = 0, to = deps.clock.now() + 1, sessionId } = request;
  const stretch = { projectId, from, to };
  const gathered: Gathered = { inputs: [], calls: [], skips: new Map() };
  await gatherInputs(deps, stretch, gathered);
  await gatherCalls(deps, stretch, gathered);
  const atlases = new Map<string, Atlas>();
  await addDeciding(deps, gathered, atlases);
  const back = longestWindow([next, ...atlases.values()].map(({ manifest }) => manifest));
  if (back > 0 && from > 0) {
    await gatherBefore(deps, { projectId, from: Math.max(0, from - back), to: from }, gathered);
  }
  await addDeciding(deps, gathered, atlases);
  const unrecorded = await deps.db.read((reader) => countUnrecorded(reader, stretch, sessionId));
  if (unrecorded > 0) gathered.skips.set('parameters_not_recorded', unrecorded);
  const { inputs, calls } = gathered;
  const task = { question: { ...request, from }, inputs, calls, atlases };
  const measured =
    inputs.length + calls.length <= FEW_RECORDS
      ? impactTask.run(task)
      : await deps.work.run(impactTask, task);
  for (const { reason, count } of measured.skips) add(gathered.skips, reason, count);
  return {
    ...measured,
    since: request.from === undefined ? null : formatMicros(request.from),
    until: request.to === undefined ? null : formatMicros(request.to),
    skips: [...gathered.skips].map(([reason, count]) => ({ reason, count })),
    skipped: [...gathered.skips.values()].reduce((sum, each) => sum + each, 0),
  };
}

const FEW_RECORDS = 50;

interface ImpactTask {
  readonly question: ImpactQuestion;
  readonly inputs: readonly string[];
  readonly calls: Gathered['calls'];
  readonly atlases: ReadonlyMap<string, Atlas>;
}

export const impactTask: Task<ImpactTask, Omit<Impact, 'since' | 'until'>> = {
  name: 'governance.impact',
  run: ({ question, inputs, calls, atlases }) =>
    measureImpact(
      {
        inputs: inputs.map((line) => JSON.parse(line) as RecordedInput),
        calls: calls.flatMap(({ line, failed }) => {
          const call = readCallLine(line);
          return call ? [{ call, failed }] : [];
        }),
      },
      (digest) => atlases.get(digest),
      question,
    ),
};

function add(skips: Gathered['skips'], reason: SkipReason, count: number): void {
  skips.set(reason, (skips.get(reason) ?? 0) + count);
}

async function gatherInputs(deps: GovernanceDeps, stretch: Stretch, into: Gathered): Promise<void> {
  const open = (row: { readonly sessionId: string; readonly requestId: string; readonly line: string }) =>
    deps.payloads.open(row.line, inputOf(row.sessionId, row.requestId));
  await gather(
    deps,
    (reader, after, limit) => selectInputRows(reader, stretch, after, limit),
    (row) => {
      const line = readable(
        () => open(row),
        (text) => recordedInputSchema.safeParse(JSON.parse(text)).success,
      );
      if (line === undefined) add(into.skips, 'unreadable', 1);
      else if (into.inputs.length < MOST_RECORDS) into.inputs.push(line);
      else add(into.skips, 'too_many', 1);
    },
  );
}

async function gatherCalls(deps: GovernanceDeps, stretch: Stretch, into: Gathered): Promise<void> {
  await gather(
    deps,
    (reader, after, limit) => pageOfCalls(reader, stretch, after, limit),
    (row) => {
      const line = openCall(deps, row);
      if (line === undefined) add(into.skips, 'unreadable', 1);
      else if (into.calls.length < MOST_RECORDS) into.calls.push({ line, failed: row.failed });
      else add(into.skips, 'too_many', 1);
    },
  );
}

/** Earlier calls that limits may still count. If they are too many, the nearest are taken, and the others are skips. */
async function gatherBefore(deps: GovernanceDeps, stretch: Stretch, into: Gathered): Promise<void> {
  const total = await deps.db.read((reader) => countCalls(reader, stretch));
  let skip = Math.max(0, total - (MOST_RECORDS - into.calls.length));
  if (skip > 0) add(into.skips, 'too_many', skip);
  const earlier: Gathered['calls'] = [];
  await gather(
    deps,
    (reader, after, limit) => pageOfCalls(reader, stretch, after, limit),
    (row) => {
      skip -= 1;
      if (skip >= 0) return;
      const line = openCall(deps, row);
      if (line === undefined) add(into.skips, 'unreadable', 1);
      else earlier.push({ line, failed: row.failed });
    },
  );
  into.calls.unshift(...earlier);
}

async function pageOfCalls(reader: Reader, stretch: Stretch, after: After | undefined, limit: number) {
  const rows = await selectCalls(reader, stretch, after, limit);
  return rows.map((row) => ({ ...row, id: row.callId }));
}

function openCall({ payloads }: GovernanceDeps, { line, callId }: CallRow): string | undefined {
  return readable(
    () => payloads.open(line, callOf(callId)),
    (text) => readCallLine(text) !== undefined,
  );
}

/** Whatever is wrong with one record must not hide the others. */
function readable(open: () => string, fits: (text: string) => boolean): string | undefined {
  try {
    const text = open();
    return fits(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

async function gather<Row extends After>(
  { db }: GovernanceDeps,
  page: (reader: Reader, after: After | undefined, limit: number) => Promise<readonly Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  let after: After | undefined;
  for (;;) {
    const rows = await db.read((reader) => page(reader, after, PAGE));
    for (const row of rows) take(row);
    after = rows.at(-1);
    if (rows.length < PAGE) return;
    await giveTurn();
  }
}

/** Every version that had a say. What an Atlas contains is kept for good, under its digest. */
async function addDeciding(
  { db, sets }: GovernanceDeps,
  { inputs, calls }: Gathered,
  known: Map<string, Atlas>,
): Promise<void> {
  const digests = new Set<string>();
  for (const line of [...inputs, ...calls.map((each) => each.line)]) {
    const { atlases } = JSON.parse(line) as Pick<RecordedInput, 'atlases'>;
    for (const { digest } of atlases) digests.add(digest);
    await giveTurn();
  }
  for (const digest of digests) {
    const atlas = known.get(digest) ?? (await db.read((reader) => sets.find(reader, digest)));
    if (atlas) known.set(digest, atlas);
  }
}
