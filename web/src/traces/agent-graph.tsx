import { useQuery } from '@tanstack/react-query';
import { LazyGraph } from '../graph/lazy-graph.tsx';
import { count, counted, seconds } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { graphQuery } from './queries.ts';

interface AgentGraphProps {
  readonly project: string;
  readonly sessionId: string;
}

const THICKEST = 5;

/** Who handed over to whom, how often and how fast, and where it failed. An edge leads to its calls. */
export function AgentGraph({ project, sessionId }: AgentGraphProps) {
  const query = useQuery(graphQuery(project, sessionId));
  const [, change] = useParams();
  return (
    <Card flush>
      <QueryView query={query} rows={6}>
        {({ nodes, edges }) => {
          if (nodes.length === 0)
            return (
              <EmptyState icon="run" title="No agent is named in these spans">
                A span that carries <code className="font-mono text-small">graph.node.id</code> and{' '}
                <code className="font-mono text-small">graph.node.parent_id</code> appears here.
              </EmptyState>
            );
          const most = Math.max(...edges.map(({ spans }) => spans), 1);
          const shown = edges.filter(({ from, to }) => from !== to);
          return (
            <>
              <LazyGraph
                label="Agents of the session"
                direction="LR"
                nodes={nodes.map(({ id, spans, errors }) => ({
                  id,
                  width: 190,
                  height: 58,
                  content: <AgentNode id={id} spans={spans} errors={errors} />,
                }))}
                edges={shown.map(({ from, to, spans, errors, mean_ms }) => ({
                  from,
                  to,
                  label: `${count(spans)}× ${seconds(mean_ms)}`,
                  color: errors > 0 ? 'var(--bad)' : actorColor(from),
                  width: 1.5 + (THICKEST - 1.5) * (spans / most),
                  onOpen: () => change({ view: 'spans', of: to }),
                }))}
              />
              <table className="w-full border-line border-t text-left">
                <caption className="sr-only">Handovers</caption>
                <thead className="bg-sunken/60 text-faint text-tiny [&_th]:px-4 [&_th]:py-1.5 [&_th]:font-normal">
                  <tr>
                    <th scope="col">From and to</th>
                    <th scope="col" className="text-right">
                      Spans
                    </th>
                    <th scope="col" className="hidden text-right sm:table-cell">
                      Mean
                    </th>
                    <th scope="col" className="text-right">
                      p95
                    </th>
                    <th scope="col" className="text-right">
                      Failed
                    </th>
                  </tr>
                </thead>
                <tbody className="divide-y divide-line [&_td]:px-4 [&_td]:py-1.5">
                  {shown
                    .toSorted((a, b) => b.errors - a.errors || b.spans - a.spans)
                    .map(({ from, to, spans, errors, mean_ms, p95_ms }) => (
                      <tr key={`${from} ${to}`}>
                        <td className="max-w-0 truncate font-medium">
                          <span style={{ color: actorColor(from) }}>{from}</span>
                          <span className="text-faint"> → </span>
                          <span style={{ color: actorColor(to) }}>{to}</span>
                        </td>
                        <td className="tabular w-16 text-right">{count(spans)}</td>
                        <td className="tabular hidden w-20 text-right sm:table-cell">{seconds(mean_ms)}</td>
                        <td className="tabular w-20 text-right">{seconds(p95_ms)}</td>
                        <td
                          className={`tabular w-20 text-right ${errors > 0 ? 'font-semibold text-bad' : 'text-faint'}`}
                        >
                          {errors}
                        </td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

function AgentNode({ id, spans, errors }: { id: string; spans: number; errors: number }) {
  return (
    <div
      className={`flex size-full items-center gap-2.5 rounded-lg border bg-surface px-3 shadow-card ${errors > 0 ? 'border-bad' : 'border-line-strong'}`}
    >
      <Avatar id={id} type="agent" />
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-semibold" style={{ color: actorColor(id) }} title={id}>
          {id}
        </span>
        <span className={`block truncate text-small ${errors > 0 ? 'text-bad' : 'text-faint'}`}>
          {counted(spans, 'span')}
          {errors > 0 && `, ${counted(errors, 'error')}`}
        </span>
      </span>
    </div>
  );
}
