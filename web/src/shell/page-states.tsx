import { Link, useRouter } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function PagePending() {
  return (
    <div role="status" aria-label="Loading the page">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-3 h-4 w-80 max-w-full" />
      <Skeleton className="mt-8 h-64 w-full" />
    </div>
  );
}

/** A page that threw: the rest of the dashboard goes on. */
export function PageFailed({ error }: { error: Error }) {
  const router = useRouter();
  return <ErrorNote error={error} onRetry={() => void router.invalidate()} />;
}

export function NotFoundPage() {
  return (
    <EmptyState icon="search" title="Page not found">
      <Link to="/" className="font-medium text-accent underline underline-offset-4">
        Go to the overview
      </Link>
    </EmptyState>
  );
}
