import { useQuery } from '@tanstack/react-query';
import { counted } from '../numbers.ts';
import { useParams, useView } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { ChoiceTabs } from '../ui/choice-tabs.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AgentGraph } from './agent-graph.tsx';
import { spansQuery, type TraceSession } from './queries.ts';
import { SpanDrawer } from './span-drawer.tsx';
import { TraceCard } from './trace-card.tsx';
import { waterfalls } from './waterfall.ts';

interface SessionViewProps {
  readonly project: string;
  readonly session: TraceSession;
}

export function SessionView({ project, session }: SessionViewProps) {
  const [params, change] = useParams();
  const query = useQuery(spansQuery(project, session.session_id));
  const [view, show] = useView(['traces', 'agents']);
  const open = (span: string | undefined) => change({ span });
  return (
    <section aria-label={`Session ${session.session_id}`} className="flex min-w-0 flex-col gap-4">
      <ChoiceTabs
        label="View"
        options={[
          ['traces', `Traces (${session.traces})`],
          ['agents', `Agents (${session.agents})`],
        ]}
        chosen={view}
        onChange={show}
      />
      {view === 'agents' ? (
        <AgentGraph project={project} sessionId={session.session_id} />
      ) : (
        <QueryView query={query} rows={8}>
          {({ spans, cut }) => (
            <>
              {spans.length === 0 && (
                <Card>
                  <EmptyState icon="trace" title="Its spans are gone">
                    Retention keeps the newest; the journal still says what was governed and refused.
                  </EmptyState>
                </Card>
              )}
              {waterfalls(spans).map((trace) => (
                <TraceCard key={trace.traceId} trace={trace} onOpen={open} />
              ))}
              {cut && (
                <p className="text-small text-soft">
                  The first {counted(spans.length, 'span')} of the session. A trace by itself:{' '}
                  <code className="font-mono">npx baton-ledger relay view {session.session_id}</code>
                </p>
              )}
              {params.span !== undefined && (
                <SpanDrawer
                  span={spans.find(({ span_id }) => span_id === params.span)}
                  onClose={() => open(undefined)}
                />
              )}
            </>
          )}
        </QueryView>
      )}
    </section>
  );
}
