import { ActorName } from '../ui/actor-name.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { StatusBadge, TypeBadge } from './package-badges.tsx';
import type { Package } from './queries.ts';

export function PackageRow({ given, onOpen }: { given: Package; onOpen: (id: string) => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(given.package_id)}
        className="flex w-full flex-col gap-1 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex w-full flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 flex-1 basis-52 font-medium">{given.title}</span>
          <StatusBadge status={given.status} />
          <TypeBadge type={given.package_type} />
        </span>
        <span className="flex w-full flex-wrap items-center gap-x-3 text-small text-soft">
          <ActorName id={given.created_by.id} type={given.created_by.type} />
          <TimeAgo at={given.created_at} />
        </span>
      </button>
    </li>
  );
}
