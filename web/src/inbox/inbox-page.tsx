import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from '../search-params.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { KeysHint } from '../ui/keys-hint.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { DecisionModal, type Intent } from './decision-modal.tsx';
import { InboxTabs } from './inbox-tabs.tsx';
import { ItemDetail } from './item-detail.tsx';
import { ItemList } from './item-list.tsx';
import { closedItemsQuery, type InboxItem, itemQuery, openItemsQuery } from './queries.ts';

export function InboxPage() {
  const [params, change] = useParams();
  const closed = params.show === 'closed';
  const list = useQuery(closed ? closedItemsQuery : openItemsQuery);
  const items = list.data?.items ?? [];
  const chosen = items.findIndex((item) => item.id === params.item);
  const single = useQuery({
    ...itemQuery(params.item ?? ''),
    enabled: params.item !== undefined && chosen < 0,
  });
  const shown: InboxItem | undefined = items[chosen] ?? (params.item ? single.data : undefined);
  const [intent, setIntent] = useState<Intent>();

  const select = (item: InboxItem | undefined) => change({ item: item?.id }, { replace: true });
  const decide = (decision: Intent['decision']) => {
    if (shown?.state !== 'open' || !shown.can_decide) return;
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
        lead="Whatever an agent may not do alone waits here for a person. A decision applies once, to exactly the content shown, and is written to the journal."
      />
      <InboxTabs
        closed={closed}
        onChange={(next) => change({ show: next ? 'closed' : undefined, item: undefined })}
      />
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
            <EmptyState icon="inbox" title={closed ? 'No decisions yet' : 'Nothing is waiting for you'}>
              {closed
                ? 'Decisions stay here with who made them, when and why.'
                : 'When a rule asks for a person, the request appears here at once and the agent waits. To see one, let an agent with a key of its own (BATON_TOKEN) ask:'}
              {!closed && (
                <div className="mt-4 text-left">
                  <CommandLine command='npx baton-ledger deposit --title "Look at this" --review human' />
                </div>
              )}
            </EmptyState>
          ) : (
            <ItemList items={items} chosen={params.item} onSelect={select} />
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
