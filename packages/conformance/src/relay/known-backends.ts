import type { Backend, BackendName } from './backend.ts';
import { batonQuery } from './baton-query.ts';
import { phoenixQuery } from './phoenix-query.ts';
import { otlpSink, type SpanSink } from './span-sink.ts';
import { tempoQuery } from './tempo-query.ts';
import type { TraceQuery } from './trace-query.ts';

export interface BackendPlace extends Omit<Backend, 'url'> {
  /** Where it takes OTLP/HTTP. */
  readonly collector: string | undefined;
  /** Where it answers queries, if that is elsewhere. */
  readonly asked: string | undefined;
  /** Of Phoenix. */
  readonly project: string | undefined;
}

const COLLECTORS: Readonly<Partial<Record<BackendName, string>>> = {
  tempo: 'http://localhost:4318',
  phoenix: 'http://localhost:6006',
};
const TEMPO_API = 'http://localhost:3200';

/** Both ends of a backend: where the harness's agents send their spans, and how all spans are queried. */
export function openBackend(
  name: BackendName,
  { collector, asked, project, headers, since }: BackendPlace,
): { readonly sink: SpanSink; readonly query: TraceQuery } {
  const otlp = withoutSlash(collector ?? COLLECTORS[name] ?? '');
  const url = withoutSlash(asked ?? (name === 'tempo' ? TEMPO_API : otlp));
  const sink = otlpSink(otlp, headers);
  if (name === 'tempo') return { sink, query: tempoQuery({ url, headers, since }) };
  if (name === 'phoenix') return { sink, query: phoenixQuery({ url, headers, since }, project) };
  return { sink, query: batonQuery(url, headers) };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
