import { useQuery } from '@tanstack/react-query';
import { firstPage, useListPlace } from '../list-place.ts';
import { useParams } from '../search-params.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { ItemDetail } from './item-detail.tsx';
import { ItemList } from './item-list.tsx';
import { NoItems } from './no-items.tsx';
import { type InboxItem, itemQuery, itemsQuery } from './queries.ts';

const closedStates = [
  ['applied', 'Approved or rejected'],
  ['decided', 'Being applied'],
  ['failed', 'Could not be applied'],
  ['superseded', 'Settled elsewhere'],
  ['expired', 'Expired'],
] as const;

/** What was decided, the newest first. */
export function ClosedInbox() {
  const [params, change] = useParams();
  const place = useListPlace();
  const show = closedStates.find(([each]) => each === params.state)?.[0] ?? 'applied';
  const list = useQuery(itemsQuery({ show, words: params.q, cursor: place.cursor }));
  const items = list.data?.items ?? [];
  const next = list.data?.next ?? null;
  const chosen = items.findIndex((item) => item.id === params.item);
  const single = useQuery({
    ...itemQuery(params.item ?? ''),
    enabled: params.item !== undefined && chosen < 0,
  });
  const shown: InboxItem | undefined = items[chosen] ?? (params.item ? single.data : undefined);
  const select = (item: InboxItem | undefined) => change({ item: item?.id }, { replace: true });

  useKeys({
    j: () => select(items[Math.min(chosen + 1, items.length - 1)]),
    k: () => select(items[Math.max(chosen - 1, 0)]),
  });

  return (
    <>
      <search className="grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <SearchBox
          label="Find an item"
          hideLabel
          placeholder="Words of its title"
          words={params.q ?? ''}
          onSearch={(q) => change({ q: q || undefined, item: undefined, ...firstPage() }, { replace: true })}
        />
        <SelectField
          label="Outcome"
          hideLabel
          options={closedStates}
          value={show}
          onChange={(event) => change({ state: event.target.value, item: undefined, ...firstPage() })}
        />
      </search>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <section
          aria-label="Decided items"
          className={`overflow-hidden rounded-card border border-line bg-surface shadow-card ${shown ? 'hidden lg:block' : ''} ${items.length === 0 ? 'lg:col-span-2' : ''}`}
        >
          {list.isPending ? (
            <SkeletonRows rows={4} className="h-20" />
          ) : list.error ? (
            <div className="p-4">
              <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
            </div>
          ) : items.length === 0 ? (
            <NoItems tab="closed" searched={false} words={params.q !== undefined} others={0} />
          ) : (
            <>
              <ItemList items={items} chosen={params.item} onSelect={select} />
              <Pager
                label="items"
                at={place.at}
                shown={items.length}
                total={list.data.total}
                busy={list.isPlaceholderData}
                onFirst={place.first}
                onNext={next === null ? undefined : () => place.next(next, items.length)}
              />
            </>
          )}
        </section>
        {shown ? (
          <ItemDetail item={shown} onBack={() => select(undefined)} />
        ) : params.item !== undefined && single.error ? (
          <ErrorNote error={single.error} />
        ) : (
          items.length > 0 && (
            <div className="hidden rounded-card border border-line border-dashed lg:block">
              <EmptyState icon="left" title="Choose an item">
                You see who decided it, when and why.
              </EmptyState>
            </div>
          )
        )}
      </div>
    </>
  );
}
