import { Link } from '@tanstack/react-router';
import { maySee, useMe } from '../api/session.ts';
import { Icon } from './icon.tsx';

/** From an object to its reasons. Not there for whoever may not ask. */
export function WhyLink({ id, kind }: { id: string; kind?: string }) {
  const me = useMe();
  if (!maySee(me, 'why:read')) return null;
  return (
    <Link
      to="/why"
      search={{ id, ...(kind && { kind }) } as never}
      className="inline-flex h-9 items-center gap-2 whitespace-nowrap rounded-control border border-line bg-surface px-3 font-medium shadow-card transition-colors hover:bg-hover"
    >
      <Icon name="why" size={16} />
      Why?
    </Link>
  );
}
