import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** How many rows of what height hold the place. */
  readonly rows?: number;
  readonly rowClassName?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What is read, its place while it is being read, or why it could not be. What is known stays when a refresh fails. */
export function QueryView<Data>({ query, rows = 4, rowClassName = 'h-12', children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <div className="p-4">
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  return <SkeletonRows rows={rows} className={rowClassName} />;
}
