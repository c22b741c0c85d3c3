import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventWords } from '../journal/event-words.ts';
import { useListPlace } from '../list-place.ts';
import type { JournalEntry } from '../live/journal-stream.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { effectWords } from './effect-words.ts';
import { evaluatedEffect } from './evaluated-effect.ts';
import { decisionsQuery } from './queries.ts';
import type { PolicyViewProps } from './view-props.ts';

export function DecisionsView({ project }: PolicyViewProps) {
  const place = useListPlace();
  const query = useQuery(decisionsQuery(project, place.cursor));
  return (
    <Card flush>
      <QueryView query={query} rows={8}>
        {({ entries, older }) =>
          entries.length === 0 && place.at === 0 ? (
            <EmptyState icon="policy" title="No decisions yet">
              Every request of an agent leaves here what was decided about each action, and by which rule. An
              agent begins with a goal:
              <div className="mt-4 text-left">
                <CommandLine command='npx baton-ledger carp start --agent-id my-agent --goal "Answer a ticket"' />
              </div>
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Decisions, newest first" className="divide-y divide-line">
                {entries.map((entry) => (
                  <DecisionRow key={entry.leaf} entry={entry} />
                ))}
              </ul>
              <Pager
                label="decisions"
                at={place.at}
                shown={entries.length}
                total={undefined}
                first="Newest"
                next="Older"
                busy={query.isPlaceholderData}
                onFirst={place.first}
                onNext={older === undefined ? undefined : () => place.next(String(older), entries.length)}
              />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

/** Of events that say by their type what came of a call. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'action.approved': 'approved',
  'action.denied': 'denied',
  'action.executed': 'executed',
  'action.failed': 'failed',
  'carp.refused': 'refused',
};

function DecisionRow({ entry }: { entry: JournalEntry }) {
  const { event, leaf } = entry;
  const payload = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  const { words, tone, icon } = effectWords(OUTCOMES[event.event_type] ?? evaluatedEffect(payload));
  const { gist } = eventWords(event.event_type, event.payload);
  return (
    <li>
      <Link
        to="/journal"
        search={{ event: leaf } as never}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2 md:grid-cols-[10.5rem_minmax(0,1fr)_minmax(0,1fr)_5rem]"
      >
        <span>
          <Badge tone={tone} icon={icon}>
            {words}
          </Badge>
        </span>
        <code className="order-3 min-w-0 truncate font-mono text-small md:order-none">
          {String(payload.action_id ?? gist)}
        </code>
        <span className="order-4 min-w-0 truncate text-right text-small text-soft md:order-none md:text-left">
          {payload.policy_id ? (
            <>
              by <code className="font-mono">{String(payload.policy_id)}</code>
            </>
          ) : (
            String(payload.reason ?? '')
          )}
        </span>
        <span className="text-right text-faint text-small">
          <TimeAgo at={event.timestamp} />
        </span>
      </Link>
    </li>
  );
}
