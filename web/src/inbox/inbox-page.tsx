import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { firstPage, useListPlace } from '../list-place.ts';
import { counted } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField } from '../ui/field.tsx';
import { KeysHint } from '../ui/keys-hint.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { DecisionModal, type Intent } from './decision-modal.tsx';
import { type InboxTab, InboxTabs } from './inbox-tabs.tsx';
import { ItemDetail } from './item-detail.tsx';
import { ItemList } from './item-list.tsx';
import { type InboxItem, itemQuery, itemsQuery } from './queries.ts';
import { useWaitingCount } from './use-waiting-count.ts';

const closedStates = [
  ['applied', 'Approved or rejected'],
  ['decided', 'Being applied'],
  ['failed', 'Could not be applied'],
  ['superseded', 'Settled elsewhere'],
  ['expired', 'Expired'],
] as const;

export function InboxPage() {
  const [params, change] = useParams();
  const place = useListPlace();
  const tab = params.show === 'closed' || params.show === 'all' ? params.show : 'mine';
  const closed = tab === 'closed';
  const state = closedStates.find(([each]) => each === params.state)?.[0] ?? 'applied';
  const words = params.q;
  const list = useQuery(itemsQuery({ show: closed ? state : tab, words, cursor: place.cursor }));
  const waiting = useWaitingCount();
  const items = list.data?.items ?? [];
  const next = list.data?.next ?? null;
  const chosen = items.findIndex((item) => item.id === params.item);
  const single = useQuery({
    ...itemQuery(params.item ?? ''),
    enabled: params.item !== undefined && chosen < 0,
  });
  const shown: InboxItem | undefined = items[chosen] ?? (params.item ? single.data : undefined);
  const [intent, setIntent] = useState<Intent>();

  const select = (item: InboxItem | undefined) => change({ item: item?.id }, { replace: true });
  const decide = (decision: Intent['decision']) => {
    if (!shown?.can_decide) return;
    if (decision === 'approve_with_edits' && !shown.edits_allowed) return;
    setIntent({ decision, item: shown });
  };

  useKeys({
    j: () => select(items[Math.min(chosen + 1, items.length - 1)]),
    k: () => select(items[Math.max(chosen - 1, 0)]),
    a: () => decide('approve'),
    e: () => decide('approve_with_edits'),
    r: () => decide('reject'),
  });

  return (
    <>
      <PageHeader
        title="Inbox"
        lead="Whatever an agent may not do alone waits here for a person. A decision is bound to exactly the content shown, and is written to the journal."
      />
      <InboxTabs
        chosen={tab}
        onChange={(to) =>
          change({ show: to === 'mine' ? undefined : to, item: undefined, q: undefined, ...firstPage() })
        }
      />
      <search className="mt-3 grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <SearchBox
          key={tab}
          label="Find an item"
          hideLabel
          placeholder="Words of its title"
          words={words ?? ''}
          onSearch={(q) => change({ q: q || undefined, item: undefined, ...firstPage() }, { replace: true })}
        />
        {closed && (
          <SelectField
            label="Outcome"
            hideLabel
            options={closedStates}
            value={state}
            onChange={(event) => change({ state: event.target.value, item: undefined, ...firstPage() })}
          />
        )}
      </search>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <section
          aria-label={closed ? 'Decided items' : 'Open items'}
          className={`overflow-hidden rounded-card border border-line bg-surface shadow-card ${shown ? 'hidden lg:block' : ''} ${items.length === 0 ? 'lg:col-span-2' : ''}`}
        >
          {list.isPending ? (
            <SkeletonRows rows={4} className="h-20" />
          ) : list.error ? (
            <div className="p-4">
              <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
            </div>
          ) : items.length === 0 ? (
            <NoItems tab={tab} searched={words !== undefined} others={waiting?.others ?? 0} />
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
          <ItemDetail item={shown} onDecide={decide} onBack={() => select(undefined)} />
        ) : params.item !== undefined && single.error ? (
          <ErrorNote error={single.error} />
        ) : (
          items.length > 0 && (
            <div className="hidden rounded-card border border-line border-dashed lg:block">
              <EmptyState icon="left" title="Choose an item">
                You see what is asked, by whom and why before you decide.
              </EmptyState>
            </div>
          )
        )}
      </div>
      <footer className="mt-4">
        <KeysHint
          keys={[
            ['j', 'next'],
            ['k', 'previous'],
            ['a', 'approve'],
            ['e', 'edit and approve'],
            ['r', 'reject'],
          ]}
        />
      </footer>
      {intent && <DecisionModal intent={intent} onClose={() => setIntent(undefined)} />}
    </>
  );
}

interface NoItemsProps {
  readonly tab: InboxTab;
  readonly searched: boolean;
  /** How many wait for somebody else. */
  readonly others: number;
}

function NoItems({ tab, searched, others }: NoItemsProps) {
  if (searched) return <EmptyState icon="search" title="No item has these words in its title" />;
  if (tab === 'closed') {
    return (
      <EmptyState icon="inbox" title="No decisions yet">
        Decisions stay here with who made them, when and why.
      </EmptyState>
    );
  }
  if (tab === 'mine' && others > 0) {
    return (
      <EmptyState icon="inbox" title="Nothing is waiting for you">
        {counted(others, 'item waits', 'items wait')} for somebody else, under “All open”.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="inbox" title={tab === 'mine' ? 'Nothing is waiting for you' : 'Nothing is waiting'}>
      When a rule asks for a person, the request appears here at once and the agent waits. To see one, let an
      agent with a key of its own (BATON_TOKEN) ask:
      <div className="mt-4 text-left">
        <CommandLine command='npx baton-ledger deposit --title "Look at this" --review human' />
      </div>
    </EmptyState>
  );
}
