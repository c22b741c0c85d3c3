import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { counted } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { clockTime } from '../ui/time-words.ts';
import { conversationQuery, type Message } from './queries.ts';

interface ConversationViewProps {
  readonly project: string;
  readonly sessionId: string;
  readonly span: string | undefined;
  readonly onOpen: (message: Message) => void;
}

/** Who said what to whom, in order. Choosing a message chooses its span. */
export function ConversationView({ project, sessionId, span, onOpen }: ConversationViewProps) {
  const query = useQuery(conversationQuery(project, sessionId));
  return (
    <Card
      flush
      title="Who said what"
      aside={
        query.data && (
          <span className="text-faint text-small">
            {counted(query.data.items.length, 'message')}
            {!query.data.complete && ', the first of them'}
          </span>
        )
      }
    >
      <QueryView query={query} rows={6}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="trace" title="No words were kept">
              These spans say who worked and for how long, but not what was said. The waterfall has all of
              them.
            </EmptyState>
          ) : (
            <Messages items={items} span={span} onOpen={onOpen} />
          )
        }
      </QueryView>
    </Card>
  );
}

interface MessagesProps extends Pick<ConversationViewProps, 'span' | 'onOpen'> {
  readonly items: readonly Message[];
}

function Messages({ items, span, onOpen }: MessagesProps) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 96,
    overscan: 8,
  });
  const chosen = items.findIndex(({ span_id }) => span_id === span);
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align: 'auto' });
  }, [chosen, rows]);
  return (
    <ScrollRegion ref={scroller} label="Messages" className="max-h-[38rem]">
      <ol aria-label="Conversation" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const message = items[index];
          return (
            message && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <MessageRow
                  message={message}
                  chosen={message.span_id === span}
                  onOpen={() => onOpen(message)}
                />
              </li>
            )
          );
        })}
      </ol>
    </ScrollRegion>
  );
}

function MessageRow({ message, chosen, onOpen }: { message: Message; chosen: boolean; onOpen: () => void }) {
  const now = useNow();
  const { from, to, text, at, failed, error } = message;
  return (
    <article
      className={`mx-2 my-1 flex gap-2.5 rounded-control border px-2.5 py-2 ${chosen ? 'border-accent bg-accent-soft/40' : 'border-transparent'}`}
    >
      <Avatar id={from} type="agent" />
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className="flex w-full items-baseline gap-2 text-left">
          <span className="min-w-0 flex-1 truncate font-semibold">
            <span style={{ color: actorColor(from) }}>{from}</span>
            <span className="font-normal text-faint"> → </span>
            <span style={{ color: actorColor(to) }}>{to}</span>
          </span>
          <span className="tabular shrink-0 text-faint text-small">{clockTime(at, now)}</span>
        </button>
        <Markdown text={text} />
        {failed && (
          <p className="mt-1.5 flex gap-2 rounded-control bg-bad-soft px-2.5 py-1.5 text-bad text-small">
            <Icon name="warning" size={15} className="mt-0.5" />
            <span className="min-w-0 break-words">{error ?? 'It failed.'}</span>
          </p>
        )}
      </div>
    </article>
  );
}
