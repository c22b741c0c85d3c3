import { useQuery } from '@tanstack/react-query';
import { GraphView } from '../graph/graph-view.tsx';
import { counted } from '../numbers.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { graphQuery } from './queries.ts';

/** Who handed over to whom, how often, and where it failed. */
interface AgentGraphProps {
  readonly project: string;
  readonly sessionId: string;
}

export function AgentGraph({ project, sessionId }: AgentGraphProps) {
  const query = useQuery(graphQuery(project, sessionId));
  return (
    <Card>
      <QueryView query={query}>
        {({ nodes, edges }) =>
          nodes.length === 0 ? (
            <EmptyState icon="run" title="No agent is named in these spans">
              A span that carries <code className="font-mono text-small">graph.node.id</code> and{' '}
              <code className="font-mono text-small">graph.node.parent_id</code> appears here.
            </EmptyState>
          ) : (
            <GraphView
              label="Agents of the session"
              nodes={nodes.map(({ id, spans, errors }) => ({
                id,
                tone: errors > 0 ? 'bad' : 'plain',
                content: (
                  <>
                    <span className="truncate font-medium" title={id}>
                      {id}
                    </span>
                    <span className={`truncate text-tiny ${errors > 0 ? 'text-bad' : 'text-faint'}`}>
                      {counted(spans, 'span')}
                      {errors > 0 && `, ${counted(errors, 'error')}`}
                    </span>
                  </>
                ),
              }))}
              edges={edges.map(({ from, to, spans, errors }) => ({
                from,
                to,
                label: `${spans}×`,
                bad: errors > 0,
              }))}
            />
          )
        }
      </QueryView>
    </Card>
  );
}
