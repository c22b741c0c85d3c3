import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { titleWords } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type FactHistory, factHistories } from './fact-history.ts';
import { factsQuery } from './queries.ts';
import { TimeSpan } from './time-span.tsx';
import type { ViewProps } from './view-props.ts';

/** What is true, with what was before it; or what was true on a day. */
export function FactsView({ project, onOpen }: ViewProps) {
  const [params, change] = useParams();
  const [filter, setFilter] = useState('');
  const query = useQuery(factsQuery(project, params.as_of));
  return (
    <>
      <search className="mb-3 grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          label="Find"
          type="search"
          placeholder="Subject, predicate or value"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <TextField
          label="As of"
          type="date"
          value={params.as_of ?? ''}
          onChange={(event) => change({ as_of: event.target.value || undefined }, { replace: true })}
        />
      </search>
      <Card flush>
        <QueryView query={query} rows={6}>
          {(facts) => {
            const shown = factHistories(facts).filter((each) => fits(each, filter));
            return facts.length === 0 ? (
              <NoFacts asOf={params.as_of} />
            ) : shown.length === 0 ? (
              <EmptyState icon="search" title="No matching facts" />
            ) : (
              <ul
                aria-label="Facts"
                className={`divide-y divide-line ${query.isPlaceholderData ? 'opacity-60' : ''}`}
              >
                {shown.map((each) => (
                  <FactRow key={each.key} history={each} onOpen={onOpen} />
                ))}
              </ul>
            );
          }}
        </QueryView>
      </Card>
    </>
  );
}

function fits({ subject, predicate, latest }: FactHistory, filter: string): boolean {
  const text = `${subject} ${predicate} ${latest.value}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const COLUMNS =
  'grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 md:grid-cols-[1rem_minmax(0,1.1fr)_minmax(0,1.4fr)_9rem_6rem]';

function FactRow({ history, onOpen }: { history: FactHistory; onOpen: (id: string) => void }) {
  const { subject, predicate, latest, past } = history;
  const source = latest.source_package_id;
  return (
    <li>
      <details className="group">
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
            {past.length > 0 && <span className="block">{past.length} before</span>}
          </span>
        </summary>
        <div className="border-line border-t bg-sunken/50 px-4 py-3 pl-11">
          <ol aria-label={`${subject} ${predicate} over time`} className="flex flex-col gap-2">
            {[latest, ...past].map((fact) => (
              <li key={fact.fact_id} className="flex flex-wrap items-baseline gap-x-3">
                <span className="min-w-40 break-words font-medium">{fact.value}</span>
                <TimeSpan from={fact.valid_from} to={fact.valid_to ?? undefined} />
                <span className="text-faint text-small">
                  {fact.asserted_by?.id}
                  {typeof fact.confidence === 'number' && ` · ${Math.round(fact.confidence * 100)} % sure`}
                </span>
              </li>
            ))}
          </ol>
          {source && (
            <button
              type="button"
              onClick={() => onOpen(source)}
              className="mt-3 font-medium text-accent text-small underline-offset-4 hover:underline"
            >
              Open the package that says so
            </button>
          )}
        </div>
      </details>
    </li>
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
      Choose a later day, or clear the date to see what is true now.
    </EmptyState>
  );
}
