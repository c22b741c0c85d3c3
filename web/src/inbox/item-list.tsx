import { useEffect, useRef } from 'react';
import { Badge } from '../ui/badge.tsx';
import { didName } from '../ui/id-words.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { ItemTitle } from './item-title.tsx';
import type { InboxItem } from './queries.ts';
import { RiskBadge } from './risk-badge.tsx';
import { kindWords, stateWords } from './state-words.ts';

interface ItemListProps {
  readonly items: readonly InboxItem[];
  readonly chosen: string | undefined;
  readonly onSelect: (item: InboxItem) => void;
}

export function ItemList({ items, chosen, onSelect }: ItemListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <ul ref={list} className="max-h-[70vh] divide-y divide-line overflow-y-auto">
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            aria-current={item.id === chosen}
            onClick={() => onSelect(item)}
            className="flex w-full flex-col gap-1.5 px-4 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 aria-current:bg-accent-soft aria-current:shadow-[inset_3px_0_0_var(--accent)]"
          >
            <span className="flex w-full items-center justify-between gap-2">
              <span className="truncate text-small text-soft">{kindWords(item.kind)}</span>
              {item.state === 'open' ? <RiskBadge risk={item.risk} /> : <StateBadge item={item} />}
            </span>
            <span className="line-clamp-2">
              <ItemTitle item={item} />
            </span>
            <span className="flex w-full flex-wrap justify-between gap-x-3 text-small text-soft">
              <span className="truncate">{didName(item.requested_by.id)}</span>
              {item.state === 'open' && !item.can_decide && <span>waits for somebody else</span>}
              <Moment item={item} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function StateBadge({ item }: { item: InboxItem }) {
  const { words, tone, icon } = stateWords(item.state, item.decision?.decision);
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}

function Moment({ item }: { item: InboxItem }) {
  if (item.decision) return <TimeAgo at={item.decision.decided_at} />;
  if (item.state === 'open' && item.expires_at) {
    return (
      <span>
        expires <TimeAgo at={item.expires_at} />
      </span>
    );
  }
  return <TimeAgo at={item.opened_at} />;
}
