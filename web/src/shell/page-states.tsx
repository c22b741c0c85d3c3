import { BatonRequestError, BatonUnreachableError } from '@baton-ledger/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isUnreachable } from './load-page.ts';
import { PageUnreachable } from './page-unreachable.tsx';

export function PagePending() {
  return (
    <div role="status" aria-label="Loading the page">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-3 h-4 w-80 max-w-full" />
      <Skeleton className="mt-8 h-64 w-full" />
    </div>
  );
}

/** A page that threw: the rest of the dashboard goes on, and nothing is said about the server, which is not at fault. */
export function PageFailed({ error }: { error: Error }) {
  const router = useRouter();
  const queries = useQueryClient();
  function again() {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'whoami' });
    void router.invalidate();
  }
  if (isUnreachable(error)) return <PageUnreachable />;
  if (error instanceof BatonRequestError || error instanceof BatonUnreachableError) {
    return <ErrorNote error={error} onRetry={again} />;
  }
  return (
    <div role="alert">
      <EmptyState icon="warning" title="This page could not be drawn">
        This is a fault of the page, not of your data: the server answered, and nothing was changed.
        <p className="mt-3 break-words font-mono text-small">{error.message}</p>
        <span className="mt-4 flex flex-wrap items-center justify-center gap-4">
          <Button onClick={again}>Try again</Button>
          <Link to="/" className="font-medium text-accent underline underline-offset-4">
            Go home
          </Link>
        </span>
      </EmptyState>
    </div>
  );
}

export function NotFoundPage() {
  return (
    <EmptyState icon="search" title="Page not found">
      <Link to="/" className="font-medium text-accent underline underline-offset-4">
        Go home
      </Link>
    </EmptyState>
  );
}
