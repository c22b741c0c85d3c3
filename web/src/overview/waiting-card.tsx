import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { itemsQuery } from '../inbox/queries.ts';
import { RiskBadge } from '../inbox/risk-badge.tsx';
import { kindWords } from '../inbox/state-words.ts';
import { count } from '../numbers.ts';
import { Card } from '../ui/card.tsx';
import { titleWords } from '../ui/id-words.ts';
import { TimeAgo } from '../ui/time-ago.tsx';

const SHOWN = 4;

/** What only a person moves on; not there while nothing waits. */
export function WaitingCard() {
  const { data } = useQuery(itemsQuery({ show: 'mine', words: undefined, cursor: undefined, limit: SHOWN }));
  const items = data?.items ?? [];
  const total = data?.total ?? 0;
  if (items.length === 0) return null;
  return (
    <Card
      flush
      title="Waiting for you"
      aside={
        <Link to="/inbox" className="font-medium text-accent text-small underline-offset-4 hover:underline">
          {total > SHOWN ? `All ${count(total)}` : 'Open the inbox'}
        </Link>
      }
    >
      <ul className="mt-1 divide-y divide-line border-line border-t">
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to="/inbox"
              search={{ item: item.id } as never}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 basis-52">
                <span className="block truncate font-medium">{titleWords(item.title)}</span>
                <span className="block text-small text-soft">
                  {kindWords(item.kind)}, asked by {item.requested_by.id} <TimeAgo at={item.opened_at} />
                </span>
              </span>
              <RiskBadge risk={item.risk} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
