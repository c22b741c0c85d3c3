import { useEffect, useRef } from 'react';
import { type Deadline, deadlineOf, deadlineWords } from '../home/deadline.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { didName, titleWords } from '../ui/id-words.ts';
import { RiskBars } from '../ui/risk-bars.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { type Spread, spreadsOf, spreadWords } from './amounts.ts';
import { actionOf, ItemTitle, ItemValues } from './item-title.tsx';
import type { InboxItem } from './queries.ts';
import { type Row, rowKey, type Section } from './rows.ts';
import { kindWords } from './state-words.ts';

export interface GroupListProps {
  readonly sections: readonly Section[];
  /** The key of the row that the keyboard stands on. */
  readonly at: string | undefined;
  readonly isChosen: (item: InboxItem) => boolean;
  /** The members of a group that is open, as far as they are known. */
  readonly membersOf: (like: string) => readonly InboxItem[] | undefined;
  /** The same of any group: what its line adds up. */
  readonly knownOf: (like: string) => readonly InboxItem[] | undefined;
  readonly onOpen: (row: Row) => void;
  readonly onUnfold: (row: Row) => void;
  readonly onToggle: (row: Row) => void;
}

const SECTIONS: Readonly<Record<Deadline, string>> = {
  hour: 'Within the hour',
  today: 'Today',
  tomorrow: 'Tomorrow',
  later: 'Later',
};

/** What waits, by the time that is left; what is alike stands in one row that opens in place. */
export function GroupList(props: GroupListProps) {
  const { sections, at } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at) list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div ref={list}>
      {sections.map(({ deadline, rows }) => (
        <section key={deadline} aria-label={SECTIONS[deadline]}>
          <h2
            className={`sticky top-0 z-10 border-line border-b bg-sunken px-4 py-1.5 font-semibold text-small ${deadline === 'hour' ? 'text-bad' : 'text-soft'}`}
          >
            {SECTIONS[deadline]}
          </h2>
          <ul className="divide-y divide-line border-line border-b">
            {rows.map((row) => (
              <ItemRow key={rowKey(row)} row={row} {...props} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ItemRow({
  row,
  at,
  isChosen,
  membersOf,
  knownOf,
  onOpen,
  onUnfold,
  onToggle,
}: GroupListProps & { row: Row }) {
  const now = useNow();
  const { item } = row;
  const members = row.kind === 'group' && item.like !== null ? membersOf(item.like) : undefined;
  const count = row.kind === 'group' ? row.group.count : 1;
  const known = row.kind === 'group' && item.like !== null ? knownOf(item.like) : undefined;
  const covered = count > 1 ? known : [item];
  const chosen = covered?.filter(isChosen).length ?? 0;
  const current = rowKey(row) === at;
  const title = titleWords(item.title);
  const member = row.kind === 'member';
  const asked = actionOf(item);
  return (
    <li
      className={`relative flex items-stretch ${current ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover'} ${member ? 'bg-sunken/50' : ''}`}
    >
      <label className={`flex w-11 shrink-0 items-start justify-center pt-3.5 ${member ? 'pl-4' : ''}`}>
        <input
          type="checkbox"
          aria-label={count > 1 ? `Select ${count} like ${title}` : `Select ${title}`}
          checked={chosen > 0 && chosen === count}
          disabled={!item.can_decide}
          onChange={() => onToggle(row)}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < count;
          }}
        />
      </label>
      <button
        type="button"
        aria-current={current}
        onClick={() => onOpen(row)}
        className="flex min-w-0 flex-1 flex-col gap-1 py-2.5 pr-4 text-left focus-visible:-outline-offset-2"
      >
        <span className="flex w-full items-baseline gap-2.5">
          {!member && <RiskBars risk={item.risk} />}
          <span
            className={`min-w-0 flex-1 ${member ? 'truncate text-small' : 'line-clamp-2'} ${member || asked ? '' : 'font-medium'}`}
          >
            {member && (item.highlights ?? []).length > 0 ? (
              <ItemValues item={item} />
            ) : asked && count > 1 ? (
              <>
                <span className="font-medium">{asked}</span> {known && <GroupValues items={known} />}
              </>
            ) : (
              <ItemTitle item={item} />
            )}
          </span>
          <ExpiresAt item={item} now={now} />
        </span>
        {!member && (
          <span
            className={`flex w-full items-center gap-1.5 text-small text-soft ${count > 1 ? 'pr-16' : ''}`}
          >
            <Avatar id={didName(item.requested_for.id)} type={item.requested_for.type} size="small" />
            {/* Positioned, so that what only screen readers read is cut off with the rest. */}
            <span className="relative min-w-0 flex-1 truncate">
              <span>{didName(item.requested_for.id)}</span>
              <span aria-hidden="true"> · </span>
              <span>{item.project_id}</span>
              <span aria-hidden="true"> · </span>
              <span className="font-mono text-tiny">{item.rule}</span>
              {!item.can_decide && <span> · waits for somebody else</span>}
              {item.handed_by.length > 0 && <span> · from {item.handed_by.join(', ')}</span>}
              <span className="sr-only">, {kindWords(item.kind)}</span>
            </span>
          </span>
        )}
      </button>
      {count > 1 && (
        <button
          type="button"
          aria-expanded={members !== undefined}
          aria-label={`${members === undefined ? 'Show' : 'Hide'} the ${count} like ${title}`}
          onClick={() => onUnfold(row)}
          className="absolute right-4 bottom-2 inline-flex h-6 items-center gap-1 rounded-full border border-line bg-surface px-2 font-semibold text-tiny shadow-[2px_2px_0_var(--line)]"
        >
          {count}
          <Icon name={members === undefined ? 'down' : 'up'} size={14} />
        </button>
      )}
    </li>
  );
}

/** Sums first, then what all have in common; a range of order numbers says least. */
function mostTelling(spreads: readonly Spread[]): Spread[] {
  const rank = ({ sum, same }: Spread) => (sum !== undefined ? 0 : same !== undefined ? 1 : 2);
  return spreads.toSorted((a, b) => rank(a) - rank(b));
}

function GroupValues({ items }: { items: readonly InboxItem[] }) {
  return mostTelling(spreadsOf(items)).map((spread, at) => (
    <span key={spread.name}>
      {at > 0 && <span className="text-faint"> · </span>}
      {spread.sum === undefined ? (
        <span className="text-soft">{spreadWords(spread)}</span>
      ) : (
        <strong className="font-semibold text-ink">{spreadWords(spread)}</strong>
      )}
    </span>
  ));
}

function ExpiresAt({ item, now }: { item: InboxItem; now: number }) {
  if (item.expires_at === null) return null;
  const pressing = deadlineOf(item.expires_at, now) === 'hour';
  return (
    <time
      dateTime={item.expires_at}
      title={`Expires ${item.expires_at}`}
      className={`tabular shrink-0 text-small ${pressing ? 'font-semibold text-bad' : 'text-faint'}`}
    >
      {deadlineWords(item.expires_at, now)}
    </time>
  );
}
