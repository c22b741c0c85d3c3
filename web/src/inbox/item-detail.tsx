import type { ReactNode } from 'react';
import { useMe } from '../api/session.ts';
import { deadlineOf, deadlineWords } from '../home/deadline.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Button } from '../ui/button.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { titleWords } from '../ui/id-words.ts';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo, useNow } from '../ui/time-ago.tsx';
import { WhyLink } from '../ui/why-link.tsx';
import { ApprovedContent } from './content/approved-content.tsx';
import type { Intent } from './decision-modal.tsx';
import { StateBadge } from './item-list.tsx';
import type { InboxItem } from './queries.ts';
import { RiskBadge } from './risk-badge.tsx';
import { kindWords, stateWords } from './state-words.ts';

interface ItemDetailProps {
  readonly item: InboxItem;
  /** Left out where nothing can be decided any more. */
  readonly onDecide?: (decision: Intent['decision'], words?: boolean) => void;
  readonly onDefer?: () => void;
  readonly onDelegate?: () => void;
  readonly onBringBack?: () => void;
  readonly onBack: () => void;
}

export function ItemDetail({ item, onDecide, onDefer, onDelegate, onBringBack, onBack }: ItemDetailProps) {
  const me = useMe();
  const barred = !item.can_decide;
  return (
    <article aria-label={item.title} className="rounded-card border border-line bg-surface shadow-card">
      <header className="border-line border-b p-4 sm:p-5">
        <Button tone="quiet" icon="left" className="-ml-2 mb-2 lg:hidden" onClick={onBack}>
          All items
        </Button>
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-small text-soft">{kindWords(item.kind)}</span>
          <RiskBadge risk={item.risk} />
          {item.state !== 'open' && <StateBadge item={item} />}
          <span className="ml-auto flex items-center gap-3">
            <TimeLeft item={item} />
            <WhyLink id={item.id} kind="item" />
          </span>
        </div>
        <h2 className="mt-2 break-words font-semibold text-lead">{titleWords(item.title)}</h2>
      </header>
      <div className="flex flex-col gap-5 p-4 sm:p-5">
        <ApprovedContent item={item} />
        <FactsList
          facts={[
            ['Asked by', <ActorName key="who" id={item.requested_by.id} type={item.requested_by.type} />],
            ...(item.requested_for.id === item.requested_by.id
              ? []
              : [
                  [
                    'In the name of',
                    <ActorName key="for" id={item.requested_for.id} type={item.requested_for.type} />,
                  ] as const,
                ]),
            // Of an action, what it would run and why it asks are said above.
            ...(item.kind === 'carp_approval'
              ? []
              : [
                  [
                    'Because of',
                    <code key="rule" className="break-words font-mono text-small">
                      {item.rule}
                    </code>,
                  ] as const,
                  ['About', <Named key="about" subject={item.subject} />] as const,
                ]),
            ...(item.unblocks.length > 0
              ? [['Unblocks', item.unblocks.map((one) => <Named key={one.id} subject={one} />)] as const]
              : []),
            ['Project', item.project_id],
            ...(item.aside
              ? [
                  [
                    'Put aside',
                    item.aside.handed_to === null ? (
                      <span key="aside">
                        until <TimeAgo at={item.aside.until ?? item.aside.at} />
                      </span>
                    ) : (
                      `handed to ${item.aside.handed_to}`
                    ),
                  ] as const,
                ]
              : []),
            ...(item.handed_by.length > 0 ? [['Handed to you by', item.handed_by.join(', ')] as const] : []),
            ['Asked', <TimeAgo key="opened" at={item.opened_at} />],
            ...(item.expires_at && !item.decision
              ? [['Expires', <TimeAgo key="expires" at={item.expires_at} />] as const]
              : []),
          ]}
        />
        {item.state === 'open' && onDecide ? (
          <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-2 rounded-b-card border-line border-t bg-surface px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5">
            <Button
              tone="good"
              icon="check"
              shortcut="a"
              disabled={barred}
              onClick={() => onDecide('approve')}
            >
              Approve
            </Button>
            {item.edits_allowed && (
              <Button
                icon="edit"
                shortcut="e"
                disabled={barred}
                onClick={() => onDecide('approve_with_edits')}
              >
                Edit<span className="sr-only"> and approve</span>
              </Button>
            )}
            <Button
              tone="plain"
              icon="cross"
              shortcut="r"
              disabled={barred}
              onClick={() => onDecide('reject')}
            >
              Reject
            </Button>
            <Button
              tone="quiet"
              icon="terminal"
              shortcut="w"
              disabled={barred}
              onClick={() => onDecide(item.kind === 'question' ? 'approve' : 'reject', true)}
            >
              Answer
            </Button>
            {item.aside ? (
              <Button icon="up" shortcut="b" onClick={onBringBack}>
                Bring back
              </Button>
            ) : (
              <>
                <Button tone="quiet" icon="clock" shortcut="d" disabled={barred} onClick={onDefer}>
                  Defer
                </Button>
                <Button tone="quiet" icon="person" shortcut="o" disabled={barred} onClick={onDelegate}>
                  Hand over
                </Button>
              </>
            )}
            {barred ? (
              <FooterNote>
                This is not yours to decide. {item.cannot_decide?.message ?? 'Somebody else must decide it.'}
              </FooterNote>
            ) : (
              item.needs_presence &&
              !me.present && (
                <FooterNote>
                  {me.passphrase_set || me.passkeys > 0
                    ? 'You will be asked to prove that you are here.'
                    : 'Its risk requires a passphrase or a passkey, and you have neither yet.'}
                </FooterNote>
              )
            )}
          </footer>
        ) : (
          <Outcome item={item} />
        )}
      </div>
    </article>
  );
}

function TimeLeft({ item }: { item: InboxItem }) {
  const now = useNow();
  if (item.state !== 'open' || item.expires_at === null) return null;
  const pressing = deadlineOf(item.expires_at, now) === 'hour';
  return (
    <time
      dateTime={item.expires_at}
      className={`inline-flex items-center gap-1.5 whitespace-nowrap text-small ${pressing ? 'font-semibold text-bad' : 'text-soft'}`}
    >
      <Icon name="clock" size={14} />
      {pressing ? `${deadlineWords(item.expires_at, now)} left` : deadlineWords(item.expires_at, now)}
    </time>
  );
}

function FooterNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-1.5 text-small text-soft">
      <Icon name="info" size={16} /> {children}
    </p>
  );
}

function Named({ subject }: { subject: { readonly type: string; readonly id: string } }) {
  return (
    <span className="block break-words">
      {kindWords(subject.type)} <ShortId value={subject.id} label="the id" />
    </span>
  );
}

/** What was approved, where there was something to choose. */
function chosenOf({ choices, decision }: InboxItem): (readonly [string, string])[] {
  const chosen = choices.find(({ id }) => id === decision?.choice);
  return chosen ? [['Approved', chosen.words]] : [];
}

function Outcome({ item }: { item: InboxItem }) {
  const { meaning } = stateWords(item.state, item.decision?.decision);
  return (
    <section aria-live="polite" className="flex flex-col gap-2">
      <p className="text-soft">
        {meaning}
        {item.reason && <code className="ml-2 font-mono text-small">{item.reason}</code>}
      </p>
      {item.decision && (
        <FactsList
          facts={[
            [
              'Decided by',
              <ActorName key="by" id={item.decision.decided_by.id} type={item.decision.decided_by.type} />,
            ],
            ['Decided', <TimeAgo key="at" at={item.decision.decided_at} />],
            ...chosenOf(item),
            ...(item.decision.note ? [['Note', item.decision.note] as const] : []),
          ]}
        />
      )}
    </section>
  );
}
