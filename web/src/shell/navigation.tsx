import { Link } from '@tanstack/react-router';
import { maySee, useMe } from '../api/session.ts';
import { useWaitingCount } from '../inbox/use-waiting-count.ts';
import { count } from '../numbers.ts';
import { type Page, pages } from '../pages.tsx';
import { Icon } from '../ui/icon.tsx';

const groups: readonly Page['group'][] = ['work', 'knowledge', 'house'];

export function usePages(): readonly Page[] {
  const me = useMe();
  return pages.filter(({ scope }) => scope === undefined || maySee(me, scope));
}

export function Navigation({ onLeave }: { onLeave?: () => void }) {
  const shown = usePages();
  const waiting = useWaitingCount();
  return (
    <nav aria-label="Pages" className="flex flex-col gap-5">
      {groups.map((group) => {
        const members = shown.filter((page) => page.group === group);
        return (
          members.length > 0 && (
            <ul key={group} className="flex flex-col gap-0.5">
              {members.map(({ path, label, icon }) => (
                <li key={path}>
                  <Link
                    to={path}
                    activeOptions={{ exact: path === '/', includeSearch: false }}
                    {...(onLeave && { onClick: onLeave })}
                    className="flex h-9 items-center gap-3 rounded-control px-2.5 font-medium text-soft transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
                  >
                    <Icon name={icon} />
                    <span className="flex-1">{label}</span>
                    {path === '/inbox' && waiting !== undefined && waiting.mine > 0 && (
                      <span className="tabular rounded-full bg-warn-soft px-2 font-semibold text-tiny text-warn">
                        {count(waiting.mine)}
                        <span className="sr-only"> waiting</span>
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          )
        );
      })}
    </nav>
  );
}
