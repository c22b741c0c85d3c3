import { useQuery } from '@tanstack/react-query';
import { firstPage, useListPlace } from '../list-place.ts';
import { seconds, totalOf } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { AgentLabel } from './agent-label.tsx';
import { spansQuery } from './queries.ts';

interface SpansViewProps {
  readonly project: string;
  readonly sessionId: string;
  readonly onOpen: (spanId: string) => void;
}

/** Every span of a session, the newest first: found by its name, by an attribute, or because it failed. */
export function SpansView({ project, sessionId, onOpen }: SpansViewProps) {
  const [params, change] = useParams();
  const place = useListPlace('spans');
  const words = params.span_words;
  const failed = params.errors === 'first';
  const query = useQuery(
    spansQuery(project, sessionId, {
      words,
      cursor: place.cursor,
      agent: params.of,
      attribute: params.attribute,
      failed,
    }),
  );
  const filter = (next: Record<string, string | undefined>) =>
    change({ ...next, ...firstPage('spans') }, { replace: true });
  return (
    <Card flush>
      <search className="flex flex-wrap items-end gap-3 p-4">
        <SearchBox
          label="Find a span"
          hideLabel
          className="min-w-0 flex-1 basis-56"
          placeholder="Words of its name, or its id"
          words={words ?? ''}
          onSearch={(q) => filter({ span_words: q || undefined })}
        />
        <SearchBox
          label="Attribute"
          hideLabel
          className="min-w-0 flex-1 basis-48"
          placeholder="gen_ai.tool.name=edit"
          words={params.attribute ?? ''}
          onSearch={(q) => filter({ attribute: q || undefined })}
        />
        <button
          type="button"
          aria-pressed={failed}
          onClick={() => filter({ errors: failed ? undefined : 'first' })}
          className="h-9 rounded-control border border-line bg-surface px-3 font-medium shadow-card hover:bg-hover aria-pressed:border-bad aria-pressed:bg-bad-soft aria-pressed:text-bad"
        >
          Only errors
        </button>
        {params.of !== undefined && (
          <button
            type="button"
            onClick={() => filter({ of: undefined })}
            className="h-9 rounded-control bg-accent-soft px-3 font-medium text-accent"
          >
            of {params.of} ✕
          </button>
        )}
      </search>
      <QueryView query={query} rows={8}>
        {({ items: spans, next, more, total }) => (
          <>
            {spans.length === 0 && (
              <EmptyState
                icon="search"
                title={
                  words ? 'No span of the session has these words in its name' : 'No span of the session fits'
                }
              />
            )}
            {spans.length > 0 && (
              <p className="px-4 pb-2 text-small text-soft">
                {totalOf(total, 'span')}
                {words ? ' with these words' : ''}
                {(more || place.at > 0) && ', the newest first'}
              </p>
            )}
            <ul aria-label="Spans" className="divide-y divide-line border-line border-t">
              {spans.map((span) => (
                <li key={span.span_id}>
                  <button
                    type="button"
                    onClick={() => onOpen(span.span_id)}
                    className="grid w-full grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 px-4 py-1.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <span className="flex min-w-0 items-center gap-2.5">
                      <AgentLabel label={span.service} />
                      <span className="min-w-0 truncate text-small text-soft">{span.name}</span>
                      {span.status === 'error' && (
                        <Badge tone="bad" icon="warning">
                          failed
                        </Badge>
                      )}
                    </span>
                    <span className="tabular text-small text-soft">{seconds(span.duration_ms)}</span>
                    <span className="w-20 whitespace-nowrap text-right text-faint text-small">
                      <TimeAgo at={span.start} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <Pager
              label="spans"
              at={place.at}
              shown={spans.length}
              total={total}
              first="Newest"
              next="Older"
              busy={query.isPlaceholderData}
              onFirst={place.first}
              onNext={more ? () => place.next(String(next), spans.length) : undefined}
            />
          </>
        )}
      </QueryView>
    </Card>
  );
}
