import { Link } from '@tanstack/react-router';
import { ItemTitle } from '../inbox/item-title.tsx';
import type { InboxItem } from '../inbox/queries.ts';
import { kindWords } from '../inbox/state-words.ts';
import { count } from '../numbers.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { didName } from '../ui/id-words.ts';
import { RiskBars } from '../ui/risk-bars.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { type Deadline, deadlineOf, deadlineWords } from './deadline.ts';

interface WaitsCardProps {
  readonly items: readonly InboxItem[] | undefined;
  readonly total: number;
  /** Of mine, in other projects. */
  readonly elsewhere: number;
  readonly others: number;
}

const SHOWN = 6;

/** What only a person moves on: how much by risk and time left, and what presses most. */
export function WaitsCard({ items, total, elsewhere, others }: WaitsCardProps) {
  const now = useNow();
  return (
    <Card
      flush
      title={
        <>
          Waits for you
          {total > 0 && (
            <span className="tabular ml-2.5 rounded-full bg-warn-soft px-2 py-0.5 font-semibold text-tiny text-warn">
              {count(total)}
            </span>
          )}
          {elsewhere + others > 0 && (
            <span className="ml-2.5 font-normal text-faint text-small">
              {[
                ...(elsewhere > 0 ? [`${count(elsewhere)} in other projects`] : []),
                ...(others > 0 ? [`${count(others)} more for others`] : []),
              ].join(', ')}
            </span>
          )}
        </>
      }
      aside={
        <TextLink to="/inbox" className="whitespace-nowrap text-small">
          Open the inbox
        </TextLink>
      }
    >
      {items === undefined ? (
        <SkeletonRows rows={6} className="h-12" />
      ) : items.length === 0 ? (
        <EmptyState icon="check" title="Nothing waits for you">
          What an agent may not do alone comes here, and to the inbox.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 md:grid-cols-[17.5rem_minmax(0,1fr)]">
          <Matrix items={items} rest={total - items.length} now={now} />
          <ul
            aria-label="What presses most"
            className="min-w-0 border-line border-t py-1 md:border-t-0 md:border-l"
          >
            {items.slice(0, SHOWN).map((item) => (
              <UrgentRow key={item.id} item={item} now={now} />
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

function UrgentRow({ item, now }: { item: InboxItem; now: number }) {
  const asker = didName(item.requested_for.id);
  const deadline = deadlineOf(item.expires_at, now);
  const tone = deadline === 'hour' ? 'text-bad' : deadline === 'today' ? 'text-warn' : 'text-soft';
  return (
    <li>
      <Link
        to="/inbox"
        search={{ item: item.id } as never}
        className="flex items-start gap-3 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="mt-1">
          <RiskBars risk={item.risk} />
        </span>
        <span className="min-w-0 flex-1 leading-snug">
          <span className="line-clamp-2 break-words">
            <ItemTitle item={item} />
          </span>
          <span className="flex items-center gap-1.5 text-faint text-small">
            <Avatar id={asker} type={item.requested_for.type} size="small" />
            <span className="truncate">
              {asker}
              {item.kind !== 'carp_approval' && ` · ${kindWords(item.kind)}`}
            </span>
          </span>
        </span>
        <span className={`tabular whitespace-nowrap font-semibold text-small ${tone}`}>
          {deadlineWords(item.expires_at, now)}
        </span>
      </Link>
    </li>
  );
}

const risks = ['critical', 'high', 'medium', 'low'] as const;
const columns: readonly (readonly [Deadline, string])[] = [
  ['hour', '1 h'],
  ['today', 'today'],
  ['tomorrow', ''],
  ['later', 'later'],
];

const DAY_MS = 86_400_000;

const PRESSING: Readonly<Record<string, string>> = {
  critical: 'var(--mark-deny)',
  high: 'var(--mark-ask)',
};

function Matrix({ items, rest, now }: { items: readonly InboxItem[]; rest: number; now: number }) {
  const most = Math.max(1, items.length);
  const nextDay = new Date(now + DAY_MS).toLocaleDateString('en-GB', { weekday: 'short' });
  return (
    <div className="p-4 pt-1">
      <table className="w-full table-fixed border-separate border-spacing-1 text-center">
        <caption className="sr-only">What waits, by risk and time left</caption>
        <thead>
          <tr className="text-faint text-tiny">
            <th scope="col" className="w-23">
              <span className="sr-only">Risk</span>
            </th>
            {columns.map(([deadline, words]) => (
              <th key={deadline} scope="col" className="pb-1 font-normal">
                {words || nextDay}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {risks.map((risk) => (
            <tr key={risk}>
              <th scope="row" className="pr-2 text-left font-normal text-small text-soft">
                <span className="inline-flex items-center gap-2">
                  <RiskBars risk={risk} /> {risk}
                </span>
              </th>
              {columns.map(([deadline]) => {
                const found = items.filter(
                  (item) => item.risk === risk && deadlineOf(item.expires_at, now) === deadline,
                );
                const [first] = found;
                const share = Math.round(14 + 32 * Math.sqrt(found.length / most));
                return (
                  <td key={deadline} className="h-10 p-0">
                    {first ? (
                      <Link
                        to="/inbox"
                        search={{ sort: 'expiry', risk, item: first.id } as never}
                        aria-label={`${found.length} of ${risk} risk, ${deadline}`}
                        style={{
                          background: `color-mix(in srgb, ${PRESSING[risk] ?? 'var(--ink-faint)'} ${share}%, transparent)`,
                        }}
                        className="tabular flex h-10 items-center justify-center rounded-md font-semibold hover:ring-2 hover:ring-accent"
                      >
                        {found.length}
                      </Link>
                    ) : (
                      <span className="flex h-10 items-center justify-center rounded-md bg-sunken text-faint text-small">
                        0
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 px-1 text-faint text-tiny">
        {rest > 0
          ? `The ${items.length} that expire first; ${count(rest)} more later.`
          : 'Risk by time left.'}
      </p>
    </div>
  );
}
