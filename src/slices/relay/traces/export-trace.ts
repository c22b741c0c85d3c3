import type { Reader } from '../../../spine/storage/database.ts';
import type { ResourceSpans } from '../otlp/model.ts';
import { selectOrigins } from '../spans/store.ts';
import { spansOfTrace } from './waterfall.ts';

/** As an exporter would have sent it: resources, scopes and spans as they came. */
export async function exportTrace(
  reader: Reader,
  projectId: string,
  traceId: string,
): Promise<ResourceSpans[]> {
  const { spans } = await spansOfTrace(reader, projectId, traceId);
  const origins = await selectOrigins(reader, [...new Set(spans.map(({ originId }) => originId))]);
  return origins.map(({ id, resource, scope }) => ({
    resource,
    scopeSpans: [{ scope, spans: spans.filter(({ originId }) => originId === id).map(({ span }) => span) }],
  }));
}
