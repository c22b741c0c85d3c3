/** Holds the place of what is being read, so that nothing jumps when it comes. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded-md bg-sunken ${className}`} />;
}

export function SkeletonRows({ rows, className }: { rows: number; className: string }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity
        <div key={row} className={`flex items-center px-4 ${className}`}>
          <Skeleton className="h-3.5 w-full" />
        </div>
      ))}
    </div>
  );
}
