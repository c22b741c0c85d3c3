import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { useParams } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField } from '../ui/field.tsx';
import { KeysHint } from '../ui/keys-hint.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type BulkIntent, BulkModal } from './bulk-modal.tsx';
import { DecisionModal, type Intent } from './decision-modal.tsx';
import { DeferModal } from './defer-modal.tsx';
import { DelegateModal } from './delegate-modal.tsx';
import { FacetBar } from './facet-bar.tsx';
import { GroupList } from './group-list.tsx';
import { ItemDetail } from './item-detail.tsx';
import { KeysHelp } from './keys-help.tsx';
import { NoItems } from './no-items.tsx';
import {
  facetsQuery,
  type InboxItem,
  itemQuery,
  type OpenTab,
  readAlike,
  summedUp,
  useGroups,
  useMembers,
} from './queries.ts';
import { type Row, rowKey, sectionsOf } from './rows.ts';
import { useSelection } from './selection.ts';
import { StandingStrip } from './standing/standing-strip.tsx';
import { setUndoSeconds, UNDO_CHOICES, useUndoSeconds } from './undo-seconds.ts';
import { type Undoable, UndoToast, useUndo } from './undo-toast.tsx';
import { useCurrentRow } from './use-current-row.ts';
import { useWaitingCount } from './use-waiting-count.ts';

type Asking =
  | { readonly what: 'one'; readonly intent: Intent }
  | { readonly what: 'many'; readonly intent: BulkIntent }
  | { readonly what: 'defer'; readonly items: readonly InboxItem[] }
  | { readonly what: 'delegate'; readonly item: InboxItem }
  | { readonly what: 'keys' };

/** What waits: the list at the left, one item beside it, everything by keyboard. */
export function OpenInbox({ tab }: { tab: OpenTab }) {
  const [params, change] = useParams();
  const now = useNow();
  const filter = {
    tab,
    kind: params.kind,
    risk: params.risk,
    agent: params.agent,
    project: params.project,
    words: params.q,
  };
  const list = useGroups(filter);
  const facets = useQuery(facetsQuery(filter));
  const waiting = useWaitingCount();
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const groups = list.data?.pages.flatMap((page) => page.groups) ?? [];
  const members = useMembers(filter, [...new Set([...unfolded, ...summedUp(groups)])]);
  const knownOf = (like: string) => members.get(like);
  const membersOf = (like: string) => (unfolded.includes(like) ? members.get(like) : undefined);
  const sections = sectionsOf(groups, membersOf, Math.ceil(now / 60_000) * 60_000);
  const rows = sections.flatMap((section) => section.rows);
  const selection = useSelection();
  const [asking, setAsking] = useState<Asking>();
  const [undoable, setUndoable] = useState<Undoable>();
  const undoSeconds = useUndoSeconds();
  const last = useRef<string>(undefined);

  const found = useCurrentRow(rows, params);
  const current = rows[found];
  const shownId = params.item ?? current?.item.id;
  const single = useQuery({ ...itemQuery(shownId ?? ''), enabled: shownId !== undefined });
  const shown: InboxItem | undefined = shownId === undefined ? undefined : (single.data ?? current?.item);

  const open = (row: Row | undefined) =>
    change({ item: row?.item.id, row: row && rowKey(row) }, { replace: true });
  const step = (by: number) => {
    if (rows.length === 0) return;
    open(rows[found < 0 ? 0 : Math.min(Math.max(found + by, 0), rows.length - 1)]);
  };

  /** Undecided neighbours come next, so that nobody has to look for where they were. */
  const advance = (ids: readonly string[]) => {
    if (params.item !== undefined && !ids.includes(params.item)) return;
    const left = (row: Row) => !ids.includes(row.item.id);
    const next = rows.slice(found + 1).find(left) ?? rows.slice(0, Math.max(found, 0)).reverse().find(left);
    if (next) open(next);
  };
  const decided = (ids: readonly string[], words: string, held: boolean) => {
    if (held && ids.length > 0) {
      setUndoable({ ids, words, until: Date.now() + undoSeconds * 1000 });
      undo.reset();
    }
    selection.remove(ids);
    advance(ids);
  };
  const undo = useUndo((ids) => {
    if (undoable && ids.length === undoable.ids.length) setUndoable(undefined);
    if (ids.length === 1) change({ item: ids[0], row: undefined }, { replace: true });
  });
  const queries = useQueryClient();
  const bringBack = useMutation({
    mutationFn: (id: string) => client.call('inbox.bring_back', { id }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  const gone = useCallback(() => setUndoable(undefined), []);

  const decide = (decision: Intent['decision'], words?: boolean) => {
    if (!shown?.can_decide) return;
    if (decision === 'approve_with_edits' && !shown.edits_allowed) return;
    setAsking({ what: 'one', intent: { decision, item: shown, ...(words && { words }) } });
  };
  const decideMany = (decision: BulkIntent['decision']) => {
    if (selection.chosen.size > 0) {
      setAsking({ what: 'many', intent: { decision, chosen: selection.chosen } });
    }
  };
  const itemsOf = async (row: Row): Promise<readonly InboxItem[]> => {
    const { item } = row;
    if (row.kind === 'member' || row.group.count === 1 || item.like === null) return [item];
    return knownOf(item.like) ?? readAlike(filter, item.like);
  };
  const toggle = async (row: Row | undefined) => {
    if (!row) return;
    last.current = rowKey(row);
    const items = await itemsOf(row);
    unfold(row, true);
    selection.toggle(items);
  };
  const toggleRange = async () => {
    const from = rows.findIndex((row) => rowKey(row) === last.current);
    const [low, high] = from < found ? [from, found] : [found, from];
    for (const row of rows.slice(Math.max(low, 0), high + 1)) selection.add(await itemsOf(row));
  };
  const addAlike = async () => {
    const like = shown?.like;
    if (!shown) return;
    selection.add(like ? (knownOf(like) ?? (await readAlike(filter, like))) : [shown]);
  };
  const unfold = (row: Row | undefined, only?: boolean) => {
    if (row?.kind !== 'group' || row.group.count === 1 || row.item.like === null) return;
    const { like } = row.item;
    setUnfolded((before) => {
      if (!before.includes(like)) return [...before, like];
      return only ? before : before.filter((each) => each !== like);
    });
  };

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    l: () => unfold(current),
    x: () => void toggle(current),
    X: () => void toggleRange(),
    g: () => void addAlike(),
    a: () => decide('approve'),
    A: () => decideMany('approve'),
    r: () => decide('reject'),
    R: () => decideMany('reject'),
    e: () => decide('approve_with_edits'),
    w: () => decide(shown?.kind === 'question' ? 'approve' : 'reject', true),
    d: () => shown?.can_decide && setAsking({ what: 'defer', items: [shown] }),
    D: () => selection.chosen.size > 0 && setAsking({ what: 'defer', items: [...selection.chosen.values()] }),
    o: () => shown?.can_decide && setAsking({ what: 'delegate', item: shown }),
    b: () => shown?.aside && bringBack.mutate(shown.id),
    u: () => undoable && undo.mutate(undoable),
    '/': () =>
      document
        .querySelector<HTMLInputElement>('#main input[type="search"], main input[type="search"]')
        ?.focus(),
    '?': () => setAsking({ what: 'keys' }),
    Escape: () => selection.clear(),
  });

  const searched = [params.q, params.kind, params.risk, params.agent, params.project].some(Boolean);
  const empty = list.data !== undefined && groups.length === 0;
  return (
    <>
      {/* On a phone, what narrows the list gives way to the item. */}
      <div className={shown ? 'hidden lg:block' : ''}>
        {tab === 'mine' && <StandingStrip project={params.project} />}
        {!(empty && !searched) && (
          <FacetBar
            facets={facets.data}
            chosen={filter}
            onChange={(to) => change({ ...to, item: undefined, row: undefined })}
          >
            <search className="min-w-56 max-w-md flex-1">
              <SearchBox
                key={tab}
                label="Find an item"
                hideLabel
                placeholder="Find by title  ( / )"
                words={params.q ?? ''}
                onSearch={(q) =>
                  change({ q: q || undefined, item: undefined, row: undefined }, { replace: true })
                }
              />
            </search>
          </FacetBar>
        )}
      </div>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] 2xl:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]">
        <section
          aria-label="Open items"
          className={`rounded-card border border-line bg-surface shadow-card lg:max-h-[calc(100vh-19rem)] lg:overflow-y-auto ${shown ? 'hidden lg:block' : ''} ${empty ? 'lg:col-span-2' : ''}`}
        >
          {list.isPending ? (
            <SkeletonRows rows={8} className="h-16" />
          ) : list.error && !list.data ? (
            <div className="p-4">
              <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
            </div>
          ) : empty ? (
            <NoItems
              tab={tab}
              searched={searched}
              words={params.q !== undefined}
              others={waiting?.others ?? 0}
            />
          ) : (
            <>
              <GroupList
                sections={sections}
                at={current && rowKey(current)}
                isChosen={({ id }) => selection.chosen.has(id)}
                membersOf={membersOf}
                knownOf={knownOf}
                onOpen={open}
                onUnfold={(row) => unfold(row)}
                onToggle={(row) => void toggle(row)}
              />
              {list.hasNextPage && (
                <div className="p-3">
                  <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          )}
          {selection.chosen.size > 0 && (
            <BulkBar
              chosen={selection.chosen}
              onDecide={decideMany}
              onDefer={() => setAsking({ what: 'defer', items: [...selection.chosen.values()] })}
              onClear={selection.clear}
            />
          )}
        </section>
        {shown ? (
          <ItemDetail
            item={shown}
            onDecide={decide}
            onBack={() => open(undefined)}
            onDefer={() => setAsking({ what: 'defer', items: [shown] })}
            onDelegate={() => setAsking({ what: 'delegate', item: shown })}
            onBringBack={() => bringBack.mutate(shown.id)}
          />
        ) : params.item !== undefined && single.error ? (
          <ErrorNote error={single.error} />
        ) : (
          !empty && (
            <div className="hidden rounded-card border border-line border-dashed lg:block">
              <EmptyState icon="left" title="Choose an item">
                You see what is asked, by whom and why before you decide.
              </EmptyState>
            </div>
          )
        )}
      </div>
      {!empty && (
        <footer className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <KeysHint
            keys={[
              ['j', 'next'],
              ['x', 'select'],
              ['g', 'what is like it'],
              ['a', 'approve'],
              ['A', 'approve selected'],
              ['r', 'reject'],
              ['u', 'undo'],
              ['?', 'all keys'],
            ]}
          />
          <SelectField
            label="Time to undo"
            hideLabel
            className="w-44"
            value={String(undoSeconds)}
            onChange={(event) => setUndoSeconds(Number(event.target.value))}
            options={UNDO_CHOICES.map((seconds) => [
              String(seconds),
              seconds === 0 ? 'No time to undo' : `${seconds} s to undo`,
            ])}
          />
        </footer>
      )}
      {asking?.what === 'one' && (
        <DecisionModal
          intent={asking.intent}
          undoSeconds={undoSeconds}
          onDecided={(item) => decided([item.id], doneWords(item), item.undo_until !== null)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.what === 'many' && (
        <BulkModal
          intent={asking.intent}
          undoSeconds={undoSeconds}
          onDecided={(ids) =>
            decided(
              ids,
              `${ids.length} ${asking.intent.decision === 'approve' ? 'approved' : 'rejected'}.`,
              undoSeconds > 0,
            )
          }
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.what === 'defer' && (
        <DeferModal
          items={asking.items}
          onDone={(ids) => {
            selection.remove(ids);
            advance(ids);
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.what === 'delegate' && (
        <DelegateModal
          item={asking.item}
          onDone={() => advance([asking.item.id])}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.what === 'keys' && <KeysHelp onClose={() => setAsking(undefined)} />}
      {undoable && (
        <UndoToast
          undoable={undoable}
          busy={undo.isPending}
          late={undo.data === undefined || undo.data.length === 0 ? undefined : undo.data.length}
          onUndo={() => undo.mutate(undoable)}
          onGone={gone}
        />
      )}
    </>
  );
}

function doneWords({ decision }: InboxItem): string {
  return decision?.decision === 'reject' ? 'Rejected.' : 'Approved.';
}
