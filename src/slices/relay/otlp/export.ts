import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { exportRequestFields, exportResponseFields } from './fields.ts';
import type { ExportRequest, ExportResponse, OtlpSpan, ScopeSpans } from './model.ts';
import { decodeMessage } from './protobuf-reader.ts';
import { encodeMessage } from './protobuf-writer.ts';
import { addToCounter, claimSpooled, deleteSpooled, releaseSpooled, type SpooledSpan } from './store.ts';

export interface Exporter {
  /** There may be something to send. */
  wake(): void;
  /** Resolves when the spool is empty, or when sending had to be put off. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface ExporterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onError: (error: unknown, what: string) => void;
}

/** So many at once that reading and encoding them holds up no message for long. */
const BATCH = 256;
const CLAIM_MICROS = 60e6;
const SEND_MS = 10_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;

type Sent =
  | { readonly kind: 'done'; readonly rejected: number }
  | { readonly kind: 'later'; readonly waitMs?: number | undefined };

/**
 * Sends what lies in the spool to an OTLP endpoint, in order. What cannot be sent now stays in the spool: an endpoint
 * that is down loses nothing and holds up nobody. What it refuses for good is counted.
 */
export function createExporter(deps: ExporterDeps): Exporter {
  const { db, clock, onError } = deps;
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  /** Spans were spooled while others were being sent, perhaps too late to be among them. */
  let cameMeanwhile = false;

  async function sendSome(): Promise<'more' | 'empty' | 'later'> {
    const now = clock.now();
    const spans = await db.write((uow) =>
      claimSpooled(uow, { now, freeBefore: now - CLAIM_MICROS, limit: BATCH }),
    );
    if (spans.length === 0) return 'empty';
    const seqs = spans.map(({ seq }) => seq);
    const sent = await post(spans);
    if (sent.kind === 'later') {
      await db.write((uow) => releaseSpooled(uow, seqs));
      later(sent.waitMs);
      return 'later';
    }
    failures = 0;
    await db.write(async (uow) => {
      await deleteSpooled(uow, seqs);
      await addToCounter(uow, 'exported', spans.length - sent.rejected);
      if (sent.rejected > 0) await addToCounter(uow, 'export_rejected', sent.rejected);
    });
    return spans.length < BATCH ? 'empty' : 'more';
  }

  async function post(spans: readonly SpooledSpan[]): Promise<Sent> {
    const body = encodeMessage(exportRequestFields, grouped(spans));
    try {
      const response = await fetch(deps.url, {
        method: 'POST',
        headers: { ...deps.headers, 'content-type': 'application/x-protobuf' },
        body: body as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(SEND_MS)]),
      });
      const answer = new Uint8Array(await response.arrayBuffer());
      if (response.ok)
        return { kind: 'done', rejected: rejectedIn(answer, response.headers.get('content-type')) };
      if (RETRYABLE.has(response.status))
        return { kind: 'later', waitMs: retryAfter(response.headers.get('retry-after')) };
      onError(new Error(`The OTLP endpoint answered ${response.status}.`), 'spans were refused');
      return { kind: 'done', rejected: spans.length };
    } catch (error) {
      if (!stopped.signal.aborted && failures === 0)
        onError(error, 'the OTLP endpoint does not answer; spans wait');
      return { kind: 'later' };
    }
  }

  function later(waitMs: number | undefined): void {
    failures += 1;
    startIn(waitMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 8)));
  }

  function startIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(start, ms);
    timer.unref();
  }

  async function run(): Promise<void> {
    try {
      while (!stopped.signal.aborted && (await sendSome()) === 'more');
    } catch (error) {
      if (stopped.signal.aborted) return;
      onError(error, 'export');
      later(undefined);
    }
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (stopped.signal.aborted || running) return;
    cameMeanwhile = false;
    running = run().finally(() => {
      running = undefined;
      if (cameMeanwhile) wake();
    });
  }

  // While an endpoint is down, its own timer wakes; otherwise a little is gathered before it is sent.
  function wake(): void {
    if (timer || stopped.signal.aborted) return;
    if (running) cameMeanwhile = true;
    else startIn(FIRST_WAIT_MS);
  }

  return {
    wake,
    async drain() {
      await running;
      start();
      await running;
    },
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

function retryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : undefined;
}

function rejectedIn(answer: Uint8Array, type: string | null): number {
  try {
    const response = (
      type?.includes('json')
        ? JSON.parse(new TextDecoder().decode(answer))
        : decodeMessage(exportResponseFields, answer)
    ) as ExportResponse;
    return Number(response.partialSuccess?.rejectedSpans ?? 0);
  } catch {
    return 0;
  }
}

function grouped(spans: readonly SpooledSpan[]): ExportRequest {
  const byOrigin = new Map<string, { first: SpooledSpan; spans: OtlpSpan[] }>();
  for (const spooled of spans) {
    const group = byOrigin.get(spooled.originId) ?? { first: spooled, spans: [] };
    group.spans.push(spooled.span);
    byOrigin.set(spooled.originId, group);
  }
  return {
    resourceSpans: [...byOrigin.values()].map(({ first, spans: members }) => ({
      resource: first.resource,
      scopeSpans: [{ scope: first.scope, spans: members } satisfies ScopeSpans],
    })),
  };
}
