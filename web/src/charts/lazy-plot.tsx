import { lazy, Suspense } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { PlotProps } from './plot.tsx';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

/** The library comes with the first chart that is shown; its place is held until then. */
export function LazyPlot(props: PlotProps) {
  return (
    <Suspense
      fallback={
        <div style={{ height: props.height }}>
          <Skeleton className="size-full" />
        </div>
      }
    >
      <Plot {...props} />
    </Suspense>
  );
}
