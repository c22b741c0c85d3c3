import { BatonError } from '../../../kernel/error.ts';
import { IDLE_SECONDS, readUpTo } from '../../../spine/operations/body.ts';
import { relayErrors } from '../errors.ts';
import { exportResponseFields, rpcStatusFields } from '../otlp/fields.ts';
import type { OtlpScope, OtlpSpan } from '../otlp/model.ts';
import { encodeMessage } from '../otlp/protobuf-writer.ts';
import { checkSpans, formatOf, MAX_EXPORT_BYTES, type OtlpFormat, readExport } from '../otlp/read-export.ts';
import type { RelayDeps } from '../ports.ts';
import { ensureOrigin, insertSpans, type Origin, originOf } from './store.ts';

export interface Collector {
  /** OTLP/HTTP: the request of an exporter in, OTLP's own answer out. */
  receive(request: Request, projectId: string): Promise<Response>;
}

export function createCollector({
  db,
  clock,
  hasher,
}: Pick<RelayDeps, 'db' | 'clock' | 'hasher'>): Collector {
  async function store(
    projectId: string,
    spans: readonly { origin: Origin; span: OtlpSpan }[],
  ): Promise<void> {
    await db.write(async (uow) => {
      const storedMicros = clock.now();
      const origins = new Map(spans.map(({ origin }) => [origin.id, origin]));
      for (const origin of origins.values()) await ensureOrigin(uow, origin);
      await insertSpans(
        uow,
        spans.map(({ origin, span }) => ({ projectId, originId: origin.id, span, storedMicros })),
      );
    });
  }

  async function accept(request: Request, format: OtlpFormat, projectId: string) {
    const bytes = await bodyOf(request);
    const { accepted, rejected, reason } = checkSpans(
      await readExport(bytes, format, request.headers.get('content-encoding')),
    );
    const origins = new Map<OtlpScope, Origin>();
    const spans = accepted.map(({ resource, scope, span }) => {
      const origin = origins.get(scope) ?? originOf(resource, scope, hasher);
      origins.set(scope, origin);
      return { origin, span };
    });
    for (let at = 0; at < spans.length; at += 500) await store(projectId, spans.slice(at, at + 500));
    return rejected === 0
      ? {}
      : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: reason ?? '' } };
  }

  return {
    async receive(request, projectId) {
      const format = formatOf(request.headers.get('content-type'));
      if (!format) {
        return new Response('OTLP takes application/x-protobuf or application/json.', { status: 415 });
      }
      try {
        return answer(format, 200, exportResponseFields, await accept(request, format, projectId));
      } catch (error) {
        if (!(error instanceof BatonError)) throw error;
        return answer(format, error.status, rpcStatusFields, {
          code: error.status === 413 ? 8 : error.status < 500 ? 3 : 14,
          message: error.message,
        });
      }
    },
  };
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

async function bodyOf(request: Request): Promise<Uint8Array> {
  const bytes = await readUpTo(request, { maxBytes: MAX_EXPORT_BYTES, idleSeconds: IDLE_SECONDS });
  if (bytes === undefined) throw relayErrors.export_too_large();
  return bytes;
}
