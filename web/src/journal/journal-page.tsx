import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLiveJournal } from '../live/use-live-journal.ts';
import { counted } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { KeysHint } from '../ui/keys-hint.tsx';
import { moveFocus } from '../ui/move-focus.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { CheckSummary } from './check-summary.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EventList } from './event-list.tsx';
import { JournalFilters } from './journal-filters.tsx';
import { journalPageQuery } from './queries.ts';
import { PAGE_SIZE } from './read-page.ts';

export function JournalPage() {
  const [params, change] = useParams();
  const before = params.before === undefined ? undefined : Number(params.before);
  const page = useQuery(journalPageQuery({ project: params.project, type: params.type, before }));
  const entries = page.data?.entries ?? [];
  const filtered = params.project !== undefined || params.type !== undefined;
  const list = useRef<HTMLDivElement>(null);

  const open = (leaf: number | undefined, options?: { replace?: boolean }) =>
    change({ event: leaf === undefined ? undefined : String(leaf) }, options);

  useKeys({ j: () => moveFocus(list.current, 1), k: () => moveFocus(list.current, -1) });

  return (
    <>
      <PageHeader
        title="Journal"
        lead="Every change, in the order it was written. Each event carries the hash of the one before it in its chain, so nothing can be altered or removed unnoticed."
      />
      <JournalFilters
        project={params.project}
        type={params.type}
        onChange={(next) => change({ ...next, before: undefined, event: undefined })}
      />
      <div className="mt-4 flex min-h-9 flex-wrap items-center justify-between gap-3">
        <div aria-live="polite">{!page.isPending && <CheckSummary entries={entries} />}</div>
        {before === undefined && !filtered && (
          <NewerNotice newest={entries[0]?.entry.leaf} onRead={page.refetch} />
        )}
      </div>
      <div ref={list} className="mt-2 overflow-hidden rounded-card border border-line bg-surface shadow-card">
        {page.isPending ? (
          <SkeletonRows rows={12} className="h-[3.9375rem]" />
        ) : page.error ? (
          <div className="p-4">
            <ErrorNote error={page.error} onRetry={() => void page.refetch()} />
          </div>
        ) : entries.length === 0 ? (
          <EmptyState
            icon="journal"
            title={filtered ? 'No events match the filter' : 'Nothing has happened yet'}
          >
            {filtered
              ? 'Choose another project or type. End a type with .* to match the whole family.'
              : 'The first change anyone makes appears here.'}
          </EmptyState>
        ) : (
          <EventList entries={entries} onOpen={open} dimmed={page.isPlaceholderData} />
        )}
      </div>
      <footer className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <KeysHint
          keys={[
            ['j', 'next'],
            ['k', 'previous'],
            ['Enter', 'open'],
          ]}
        />
        <span className="ml-auto flex gap-2">
          <Button disabled={before === undefined} onClick={() => change({ before: undefined })}>
            Newest
          </Button>
          {!filtered && (
            <Button
              disabled={page.data?.older === undefined}
              onClick={() => change({ before: String(PAGE_SIZE) })}
            >
              Oldest
            </Button>
          )}
          <Button
            disabled={page.data?.older === undefined || page.isPlaceholderData}
            onClick={() => change({ before: String(page.data?.older) })}
          >
            Older
          </Button>
        </span>
      </footer>
      {/^\d+$/.test(params.event ?? '') && (
        <EventDrawer
          leaf={Number(params.event)}
          entries={entries}
          onOpen={(leaf) => open(leaf, { replace: true })}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}

/** The page stands still while it is read; this says what has come since. */
function NewerNotice({ newest, onRead }: { newest: number | undefined; onRead: () => void }) {
  const { total } = useLiveJournal();
  const newer = total === undefined || newest === undefined ? 0 : total - 1 - newest;
  return newer > 0 ? (
    <Button icon="spark" onClick={onRead}>
      Show {counted(newer, 'new event')}
    </Button>
  ) : null;
}
