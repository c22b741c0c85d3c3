import { useQuery } from '@tanstack/react-query';
import { GraphView } from '../graph/graph-view.tsx';
import { shortId } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { lineageQuery } from './queries.ts';

interface PackageLineageProps {
  readonly project: string;
  readonly id: string;
  readonly onOpen: (packageId: string) => void;
}

/** What it was built on to the left, what was built on it to the right. */
export function PackageLineage({ project, id, onOpen }: PackageLineageProps) {
  const query = useQuery(lineageQuery(project, id));
  return (
    <QueryView query={query}>
      {({ package: self, ancestors, descendants }) => {
        const nodes = [...ancestors, self, ...descendants];
        return (
          <>
            {nodes.length === 1 && (
              <p className="mb-3 text-soft">It builds on no other package, and none builds on it yet.</p>
            )}
            <GraphView
              label="Lineage of the package"
              nodes={nodes.map((node) => ({
                id: node.package_id,
                tone: node.package_id === id ? 'chosen' : node.state === 'present' ? 'plain' : 'missing',
                onOpen:
                  node.state === 'present' && node.package_id !== id
                    ? () => onOpen(node.package_id)
                    : undefined,
                content: (
                  <>
                    <span className="truncate font-medium text-small" title={node.title}>
                      {node.title ?? shortId(node.package_id)}
                    </span>
                    <span className="truncate text-faint text-tiny">
                      {node.created_at ? <TimeAgo at={node.created_at} /> : node.state}
                    </span>
                  </>
                ),
              }))}
              edges={nodes.flatMap((node) => node.parents.map((from) => ({ from, to: node.package_id })))}
            />
          </>
        );
      }}
    </QueryView>
  );
}
