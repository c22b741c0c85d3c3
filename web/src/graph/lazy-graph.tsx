import { lazy, Suspense } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { FlowGraphProps } from './flow-graph.tsx';

const FlowGraph = lazy(async () => ({ default: (await import('./flow-graph.tsx')).FlowGraph }));

/** The library comes with the first graph that is shown; its place is held until then. */
export function LazyGraph(props: FlowGraphProps) {
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <FlowGraph {...props} />
    </Suspense>
  );
}
