import { useQuery } from '@tanstack/react-query';
import { firstPage } from '../list-place.ts';
import { count, counted, dollars, totalWords } from '../numbers.ts';
import { useParams, useView } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Choice } from '../ui/choice.tsx';
import { AgentGraph } from './agent-graph.tsx';
import { CompareView } from './compare-view.tsx';
import { OverTimeView } from './over-time-view.tsx';
import { conversationQuery, sessionQuery, spanQuery, type TraceSession } from './queries.ts';
import { SpanDrawer } from './span-drawer.tsx';
import { SpansView } from './spans-view.tsx';
import { TracesView } from './traces-view.tsx';

interface SessionViewProps {
  readonly project: string;
  readonly session: TraceSession;
}

export function SessionView({ project, session }: SessionViewProps) {
  const [params, change] = useParams();
  const [view, show] = useView(['traces', 'agents', 'spans', 'compare', 'time']);
  const sessionId = session.session_id;
  const open = (span: string | undefined) => change({ span });
  const figure = (n: number) => totalWords({ count: n, exact: true });
  return (
    <section aria-label={`Session ${sessionId}`} className="flex min-w-0 flex-col gap-4">
      <SessionHead project={project} session={session} />
      <Choice
        label="Views"
        options={[
          ['traces', `Traces (${figure(session.traces)})`],
          ['agents', `Agents (${figure(session.agents)})`],
          ['spans', `Spans (${figure(session.spans)})`],
          ['compare', 'Compare'],
          ['time', 'Over time'],
        ]}
        chosen={view}
        onChange={(next) => show(next, { span: undefined, of: undefined, ...firstPage('spans') })}
      />
      {view === 'traces' && <TracesView project={project} sessionId={sessionId} />}
      {view === 'agents' && <AgentGraph project={project} sessionId={sessionId} />}
      {view === 'spans' && <SpansView project={project} sessionId={sessionId} onOpen={open} />}
      {view === 'compare' && <CompareView project={project} sessionId={sessionId} />}
      {view === 'time' && <OverTimeView project={project} />}
      {params.span !== undefined && (
        <OpenSpan
          project={project}
          sessionId={sessionId}
          spanId={params.span}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  );
}

/** The session by its own name, and what it comes to. */
function SessionHead({ project, session }: SessionViewProps) {
  const { data } = useQuery(sessionQuery(project, session.session_id));
  const tokens = data ? data.usage.input_tokens + data.usage.output_tokens : 0;
  const figures = [
    [count(session.agents), session.agents === 1 ? 'agent' : 'agents'],
    [count(session.spans), session.spans === 1 ? 'span' : 'spans'],
    ...(tokens > 0 ? [[count(tokens), 'tokens'] as const] : []),
    ...(data && data.usage.cost_usd > 0 ? [[dollars(data.usage.cost_usd), 'cost'] as const] : []),
  ] as const;
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <h2 className="flex min-w-0 flex-wrap items-center gap-2.5">
        <span className="min-w-0 break-all font-mono font-semibold text-lead">{session.session_id}</span>
        {session.errors > 0 && (
          <Badge tone="bad" icon="warning">
            {counted(session.errors, 'error')}
          </Badge>
        )}
      </h2>
      <dl className="flex gap-6 text-right">
        {figures.map(([value, name]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-faint text-small">{name}</dt>
            <dd className="tabular font-semibold text-lead">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

interface OpenSpanProps {
  readonly project: string;
  readonly sessionId: string;
  readonly spanId: string;
  readonly onClose: () => void;
}

function OpenSpan({ project, sessionId, spanId, onClose }: OpenSpanProps) {
  const { data, isPending } = useQuery(spanQuery(project, sessionId, spanId));
  const { data: conversation } = useQuery(conversationQuery(project, sessionId));
  if (isPending) return null;
  return (
    <SpanDrawer
      span={data ?? undefined}
      said={conversation?.items.filter(({ span_id }) => span_id === spanId) ?? []}
      onClose={onClose}
    />
  );
}
