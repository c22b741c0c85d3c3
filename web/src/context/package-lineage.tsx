import { useQuery } from '@tanstack/react-query';
import { LazyGraph } from '../graph/lazy-graph.tsx';
import { shortId } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Lineage, lineageQuery } from './queries.ts';

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
            <LazyGraph
              label="Lineage of the package"
              direction="TB"
              nodes={nodes.map((node) => ({
                id: node.package_id,
                width: 200,
                height: 56,
                content: <Ancestor node={node} chosen={node.package_id === id} onOpen={onOpen} />,
              }))}
              edges={nodes.flatMap((node) => node.parents.map((from) => ({ from, to: node.package_id })))}
            />
          </>
        );
      }}
    </QueryView>
  );
}

interface AncestorProps {
  readonly node: Lineage['package'];
  readonly chosen: boolean;
  readonly onOpen: (packageId: string) => void;
}

function Ancestor({ node, chosen, onOpen }: AncestorProps) {
  const present = node.state === 'present';
  return (
    <button
      type="button"
      disabled={!present || chosen}
      onClick={() => onOpen(node.package_id)}
      className={`flex size-full min-w-0 flex-col justify-center rounded-lg border px-3 text-left ${
        chosen
          ? 'border-accent bg-accent-soft'
          : present
            ? 'border-line bg-surface shadow-card hover:bg-hover'
            : 'border-line-strong border-dashed bg-surface'
      }`}
    >
      <span className="truncate font-medium text-small" title={node.title}>
        {node.title ?? shortId(node.package_id)}
      </span>
      <span className="truncate text-faint text-tiny">
        {node.created_at ? <TimeAgo at={node.created_at} /> : node.state}
      </span>
    </button>
  );
}
