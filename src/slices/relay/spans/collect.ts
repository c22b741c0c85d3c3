import { BatonError } from '../../../kernel/error.ts';
import { IDLE_SECONDS, readUpTo } from '../../../spine/operations/body.ts';
import { relayErrors } from '../errors.ts';
import { exportResponseFields, rpcStatusFields } from '../otlp/fields.ts';
import type { OtlpScope, OtlpSpan } from '../otlp/model.ts';
import { encodeMessage } from '../otlp/protobuf-writer.ts';
import { checkSpans, formatOf, MAX_EXPORT_BYTES, type OtlpFormat, readExport } from '../otlp/read-export.ts';
import type { RelayDeps } from '../ports.ts';
import { ensureOrigin, insertSpans, type Origin, receivedOrigin } from './store.ts';

export interface Collector {
  /** OTLP/HTTP: the request of an exporter in, OTLP's own answer out. */
  receive(request: Request, projectId: string): Promise<Response>;
}

type StoringDeps = Pick<RelayDeps, 'db' | 'clock' | 'hasher'>;

/** Stores spans of others, some to a unit. */
export function createSpanStoring({ db, clock }: Pick<RelayDeps, 'db' | 'clock'>) {
  return async (
    projectId: string,
    spans: readonly { readonly origin: Origin; readonly span: OtlpSpan }[],
  ): Promise<void> => {
    for (let at = 0; at < spans.length; at += AT_ONCE) {
      const some = spans.slice(at, at + AT_ONCE);
      await db.write(async (uow) => {
        const storedMicros = clock.now();
        const origins = new Map(some.map(({ origin }) => [origin.id, origin]));
        for (const origin of origins.values()) await ensureOrigin(uow, origin);
        await insertSpans(
          uow,
          some.map(({ origin, span }) => ({ projectId, originId: origin.id, span, storedMicros })),
        );
      });
    }
  };
}

const AT_ONCE = 500;

export function createCollector(deps: StoringDeps): Collector {
  const store = createSpanStoring(deps);

  async function accept(request: Request, format: OtlpFormat, projectId: string) {
    const bytes = await bodyOf(request);
    const read = await readExport(bytes, format, request.headers.get('content-encoding'));
    const { accepted, rejected, reason } = await checkSpans(read);
    const origins = new Map<OtlpScope, Origin>();
    const spans = accepted.map(({ resource, scope, span }) => {
      const origin = origins.get(scope) ?? receivedOrigin(resource, scope, deps.hasher);
      origins.set(scope, origin);
      return { origin, span };
    });
    await store(projectId, spans);
    return rejected === 0
      ? {}
      : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: reason ?? '' } };
  }

  return {
    receive: (request, projectId) => answerExport(request, (format) => accept(request, format, projectId)),
  };
}

/** OTLP's way to answer, whatever the signal. */
export async function answerExport(
  request: Request,
  accept: (format: OtlpFormat) => Promise<ExportAnswer>,
): Promise<Response> {
  const format = formatOf(request.headers.get('content-type'));
  if (!format) {
    return new Response('OTLP takes application/x-protobuf or application/json.', { status: 415 });
  }
  try {
    return answer(format, 200, exportResponseFields, inProtobufTerms(format, await accept(format)));
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return answer(format, error.status, rpcStatusFields, {
      code: error.status === 413 ? 8 : error.status < 500 ? 3 : 14,
      message: error.message,
    });
  }
}

export interface ExportAnswer {
  readonly partialSuccess?: Readonly<Record<string, string>>;
}

/** The counts of all three signals have the same number there, under names of their own in JSON. */
function inProtobufTerms(format: OtlpFormat, { partialSuccess }: ExportAnswer): ExportAnswer {
  if (format === 'json' || !partialSuccess) return partialSuccess ? { partialSuccess } : {};
  const { errorMessage = '', ...counts } = partialSuccess;
  return { partialSuccess: { rejectedSpans: Object.values(counts)[0] ?? '0', errorMessage } };
}

function answer(
  format: OtlpFormat,
  status: number,
  fields: typeof exportResponseFields,
  body: object,
): Response {
  return format === 'json'
    ? new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
    : new Response(encodeMessage(fields, body) as Uint8Array<ArrayBuffer>, {
        status,
        headers: { 'content-type': 'application/x-protobuf' },
      });
}

export async function bodyOf(request: Request): Promise<Uint8Array> {
  const bytes = await readUpTo(request, { maxBytes: MAX_EXPORT_BYTES, idleSeconds: IDLE_SECONDS });
  if (bytes === undefined) throw relayErrors.export_too_large();
  return bytes;
}
