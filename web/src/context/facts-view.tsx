import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { firstPage, useListPlace } from '../list-place.ts';
import { counted, totalOf } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { titleWords } from '../ui/id-words.ts';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { WhyLink } from '../ui/why-link.tsx';
import { type Fact, factHistoryQuery, factsQuery } from './queries.ts';
import { SubjectTimeline } from './subject-timeline.tsx';
import { TimeSpan } from './time-span.tsx';
import type { ViewProps } from './view-props.ts';

/** What is true, with what was before it; or what was true on a day. */
export function FactsView({ project, onOpen }: ViewProps) {
  const [params, change] = useParams();
  const place = useListPlace();
  const { as_of: asOf, q: words } = params;
  const query = useQuery(factsQuery(project, { words, asOf, cursor: place.cursor }));
  return (
    <>
      <search className="mb-3 grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <SearchBox
          label="Find"
          placeholder="Subject, predicate or value"
          words={words ?? ''}
          onSearch={(q) => change({ q: q || undefined, ...firstPage() }, { replace: true })}
        />
        <TextField
          label="As of the end of"
          type="date"
          value={asOf ?? ''}
          onChange={(event) =>
            change({ as_of: event.target.value || undefined, ...firstPage() }, { replace: true })
          }
        />
      </search>
      {params.subject !== undefined && (
        <SubjectTimeline key={params.subject} project={project} subject={params.subject} />
      )}
      <Card flush>
        <QueryView query={query} rows={6}>
          {({ items, total, next }) =>
            items.length === 0 && place.at === 0 ? (
              words ? (
                <EmptyState icon="search" title="No matching facts">
                  {total.exact
                    ? 'No fact has all of these words in its subject, predicate or latest value.'
                    : 'None of the newest facts has all of these words; the oldest were not looked at.'}
                </EmptyState>
              ) : (
                <NoFacts asOf={asOf} />
              )
            ) : (
              <>
                <p className="border-line border-b px-4 py-2 text-faint text-small">
                  {totalOf(total, 'fact')}
                  {words && ' with these words'}
                  {asOf !== undefined && ' that held then'}
                </p>
                <ul
                  aria-label="Facts"
                  className={`divide-y divide-line ${query.isPlaceholderData ? 'opacity-60' : ''}`}
                >
                  {items.map(({ fact, earlier }) => (
                    <FactRow
                      key={fact.fact_id}
                      project={project}
                      latest={fact}
                      earlier={earlier}
                      onOpen={onOpen}
                    />
                  ))}
                </ul>
                <Pager
                  label="facts"
                  at={place.at}
                  shown={items.length}
                  total={total}
                  first="Newest"
                  next="Older"
                  busy={query.isPlaceholderData}
                  onFirst={place.first}
                  onNext={next === null ? undefined : () => place.next(next, items.length)}
                />
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  );
}

const COLUMNS =
  'grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 md:grid-cols-[1rem_minmax(0,1.1fr)_minmax(0,1.4fr)_9rem_6rem]';

interface FactRowProps {
  readonly project: string;
  readonly latest: Fact;
  readonly earlier: number;
  readonly onOpen: (id: string) => void;
}

function FactRow({ project, latest, earlier, onOpen }: FactRowProps) {
  const [open, setOpen] = useState(false);
  const { subject, predicate } = latest;
  return (
    <li>
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary
          className={`${COLUMNS} list-none transition-colors hover:bg-hover [&::-webkit-details-marker]:hidden`}
        >
          <Icon
            name="right"
            size={14}
            className="translate-y-0.5 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 break-words">
            <span className="text-soft" title={subject}>
              {titleWords(subject)}
            </span>{' '}
            <span className="text-faint">·</span> {predicate}
          </span>
          <span className="col-start-2 min-w-0 break-words font-medium md:col-start-auto">
            {latest.value}
          </span>
          <span className="col-start-2 truncate text-small text-soft md:col-start-auto">
            {latest.asserted_by?.id ?? ''}
          </span>
          <span className="col-start-2 text-faint text-small md:col-start-auto md:text-right">
            {latest.valid_to ? <Badge>Ended</Badge> : <TimeAgo at={latest.valid_from} />}
            {earlier > 0 && <span className="block">{counted(earlier, 'earlier value')}</span>}
          </span>
        </summary>
        {open && <FactHistory project={project} latest={latest} onOpen={onOpen} />}
      </details>
    </li>
  );
}

function FactHistory({ project, latest, onOpen }: Omit<FactRowProps, 'earlier'>) {
  const { subject, predicate, source_package_id: source } = latest;
  const [, change] = useParams();
  const query = useInfiniteQuery(factHistoryQuery(project, subject, predicate));
  const values = query.data?.pages.flatMap(({ items }) => items) ?? [latest];
  return (
    <div className="border-line border-t bg-sunken/50 px-4 py-3 pl-11">
      {query.error && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      <ol aria-label={`${subject} ${predicate} over time`} className="flex flex-col gap-2">
        {values.map((fact) => (
          <li key={fact.fact_id} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-40 break-words font-medium">{fact.value}</span>
            <TimeSpan from={fact.valid_from} to={fact.valid_to ?? undefined} />
            <span className="text-faint text-small">
              {fact.asserted_by?.id}
              {typeof fact.confidence === 'number' && ` · ${Math.round(fact.confidence * 100)}% sure`}
            </span>
          </li>
        ))}
      </ol>
      <span className="mt-3 flex flex-wrap items-center gap-4">
        <Button icon="clock" onClick={() => change({ subject, at: undefined })}>
          All of {titleWords(subject)} over time
        </Button>
        <WhyLink id={latest.fact_id} kind="fact" />
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older values
          </Button>
        )}
        {source && (
          <button
            type="button"
            onClick={() => onOpen(source)}
            className="font-medium text-accent text-small underline-offset-4 hover:underline"
          >
            Open the package that says so
          </button>
        )}
      </span>
    </div>
  );
}

function NoFacts({ asOf }: { asOf: string | undefined }) {
  return asOf === undefined ? (
    <EmptyState icon="check" title="No facts yet">
      A fact is what is true now, and it knows since when. The first one:
      <div className="mt-4 text-left">
        <CommandLine command="npx baton-ledger facts assert api base-url https://api.example.com" />
      </div>
    </EmptyState>
  ) : (
    <EmptyState icon="clock" title="Nothing was known then">
      No fact held when {asOf} ended, in your time zone. Choose another day, or clear the date to see what is
      true now.
    </EmptyState>
  );
}
