import { useQuery } from '@tanstack/react-query';
import { firstPage, useListPlace } from '../list-place.ts';
import { totalOf, totalWords } from '../numbers.ts';
import { useParams, useView } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { ChoiceTabs } from '../ui/choice-tabs.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { AgentGraph } from './agent-graph.tsx';
import { type Span, spanQuery, spansQuery, type TraceSession } from './queries.ts';
import { SpanDrawer } from './span-drawer.tsx';
import { TraceCard } from './trace-card.tsx';
import { waterfalls } from './waterfall.ts';

interface SessionViewProps {
  readonly project: string;
  readonly session: TraceSession;
}

export function SessionView({ project, session }: SessionViewProps) {
  const [params, change] = useParams();
  const place = useListPlace('spans');
  const words = params.span_words;
  const query = useQuery(spansQuery(project, session.session_id, { words, cursor: place.cursor }));
  const [view, show] = useView(['traces', 'agents']);
  const open = (span: string | undefined) => change({ span });
  const counted = (n: number) => totalWords({ count: n, exact: true });
  return (
    <section aria-label={`Session ${session.session_id}`} className="flex min-w-0 flex-col gap-4">
      <ChoiceTabs
        label="View"
        options={[
          ['traces', `Traces (${counted(session.traces)})`],
          ['agents', `Agents (${counted(session.agents)})`],
        ]}
        chosen={view}
        onChange={show}
      />
      {view === 'agents' ? (
        <AgentGraph project={project} sessionId={session.session_id} />
      ) : (
        <>
          <search className="block max-w-md">
            <SearchBox
              label="Find a span"
              hideLabel
              placeholder="Words of its name, or its id"
              words={words ?? ''}
              onSearch={(q) =>
                change({ span_words: q || undefined, ...firstPage('spans') }, { replace: true })
              }
            />
          </search>
          <QueryView query={query} rows={8}>
            {({ items: spans, next, more, total }) => (
              <>
                {spans.length === 0 && (
                  <Card>
                    {words ? (
                      <EmptyState icon="search" title="No span of the session has these words in its name" />
                    ) : (
                      <EmptyState icon="trace" title="Its spans are gone">
                        Retention keeps the newest; the journal still says what was governed and refused.
                      </EmptyState>
                    )}
                  </Card>
                )}
                {spans.length > 0 && (
                  <p className="text-small text-soft">
                    {totalOf(total, 'span')}
                    {words ? ' with these words' : ''}
                    {(more || place.at > 0) && ', the newest first; a trace may go on on the next page'}
                  </p>
                )}
                {waterfalls(spans).map((trace) => (
                  <TraceCard key={trace.traceId} trace={trace} onOpen={open} />
                ))}
                <Pager
                  label="spans"
                  at={place.at}
                  shown={spans.length}
                  total={total}
                  first="Newest"
                  next="Older"
                  busy={query.isPlaceholderData}
                  onFirst={place.first}
                  onNext={more ? () => place.next(String(next), spans.length) : undefined}
                />
              </>
            )}
          </QueryView>
        </>
      )}
      {params.span !== undefined && (
        <OpenSpan
          project={project}
          sessionId={session.session_id}
          spanId={params.span}
          known={query.data?.items.find(({ span_id }) => span_id === params.span)}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  );
}

interface OpenSpanProps {
  readonly project: string;
  readonly sessionId: string;
  readonly spanId: string;
  /** The span, if it is on the page behind. */
  readonly known: Span | undefined;
  readonly onClose: () => void;
}

/** A link may lead to a span that is on another page. */
function OpenSpan({ project, sessionId, spanId, known, onClose }: OpenSpanProps) {
  const { data, isPending } = useQuery({
    ...spanQuery(project, sessionId, spanId),
    enabled: known === undefined,
  });
  if (known === undefined && isPending) return null;
  return <SpanDrawer span={known ?? data ?? undefined} onClose={onClose} />;
}
