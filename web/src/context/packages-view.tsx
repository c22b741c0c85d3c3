import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { firstPage, useListPlace } from '../list-place.ts';
import { useParams } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { KeysHint } from '../ui/keys-hint.tsx';
import { moveFocus } from '../ui/move-focus.ts';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { NoWorkYet } from './no-work-yet.tsx';
import { PackageRow } from './package-row.tsx';
import { BEST, countsQuery, packagesQuery, searchQuery } from './queries.ts';
import { SearchHits } from './search-hits.tsx';
import type { ViewProps } from './view-props.ts';

export function PackagesView(props: ViewProps) {
  const [params, change] = useParams();
  const query = params.q ?? '';
  const list = useRef<HTMLDivElement>(null);
  useKeys({ j: () => moveFocus(list.current, 1), k: () => moveFocus(list.current, -1) });

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    change({ q: String(new FormData(event.currentTarget).get('q') ?? '').trim(), ...firstPage() });
  }

  return (
    <>
      <search>
        <form key={query} onSubmit={search} className="mb-3 flex max-w-2xl items-end gap-2">
          <TextField
            label="Search by words and by meaning"
            name="q"
            type="search"
            className="min-w-0 flex-1"
            placeholder="Why do retries not charge twice?"
            defaultValue={query}
          />
          <Button type="submit" icon="search">
            Search
          </Button>
          {query !== '' && (
            <Button tone="quiet" onClick={() => change({ q: undefined })}>
              Clear
            </Button>
          )}
        </form>
      </search>
      <div ref={list}>
        <Card flush>{query === '' ? <Latest {...props} /> : <Found {...props} query={query} />}</Card>
      </div>
      <footer className="mt-4">
        <KeysHint
          keys={[
            ['j', 'next'],
            ['k', 'previous'],
            ['Enter', 'open'],
          ]}
        />
      </footer>
    </>
  );
}

function Latest({ project, onOpen }: ViewProps) {
  const place = useListPlace();
  const query = useQuery(packagesQuery(project, place.cursor));
  const counts = useQuery(countsQuery(project));
  return (
    <QueryView query={query} rows={8} rowClassName="h-16">
      {({ items, cursor }) =>
        items.length === 0 && place.at === 0 ? (
          <NoWorkYet project={project} />
        ) : (
          <>
            <ul
              aria-label="Packages, newest first"
              className={`divide-y divide-line ${query.isPlaceholderData ? 'opacity-60' : ''}`}
            >
              {items.map((each) => (
                <PackageRow key={each.package_id} given={each} onOpen={onOpen} />
              ))}
            </ul>
            <Pager
              label="packages"
              at={place.at}
              shown={items.length}
              total={counts.data?.packages}
              first="Newest"
              next="Older"
              busy={query.isPlaceholderData}
              onFirst={place.first}
              onNext={cursor === undefined ? undefined : () => place.next(cursor, items.length)}
            />
          </>
        )
      }
    </QueryView>
  );
}

function Found({ project, query, onOpen }: ViewProps & { query: string }) {
  const found = useQuery(searchQuery(project, query));
  return (
    <QueryView query={found} rows={6} rowClassName="h-20">
      {({ hits }) =>
        hits.length === 0 ? (
          <EmptyState icon="search" title="No results">
            Try other words: search covers titles, decisions, questions, notes, content and facts.
          </EmptyState>
        ) : (
          <>
            <SearchHits hits={hits} dimmed={found.isPlaceholderData} onOpen={onOpen} />
            <p className="border-line border-t px-4 py-2.5 text-faint text-small">
              {hits.length < BEST ? 'Nothing else comes near.' : `The best ${BEST}. Other words find others.`}
            </p>
          </>
        )
      }
    </QueryView>
  );
}
