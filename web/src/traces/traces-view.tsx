import { useQuery } from '@tanstack/react-query';
import { counted, seconds } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { relativeTime } from '../ui/time-words.ts';
import { ConversationView } from './conversation-view.tsx';
import { tracesQuery } from './queries.ts';
import { WaterfallView } from './waterfall-view.tsx';

interface TracesViewProps {
  readonly project: string;
  readonly sessionId: string;
}

/** What was said beside where the time went. Both are one selection: a message and its span. */
export function TracesView({ project, sessionId }: TracesViewProps) {
  const [params, change] = useParams();
  const now = useNow();
  const failed = params.errors === 'first';
  const query = useQuery(tracesQuery(project, sessionId, failed));
  return (
    <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-[23rem_minmax(0,1fr)]">
      <QueryView query={query} rows={8}>
        {({ items }) => {
          const chosen = items.find(({ trace_id }) => trace_id === params.trace) ?? items[0];
          return (
            <div className="flex min-w-0 flex-col gap-3 2xl:order-last">
              <div className="flex flex-wrap items-end gap-3">
                <SelectField
                  label="Trace"
                  className="min-w-0 flex-1 basis-64"
                  options={items.map(({ trace_id, name, start, duration_ms, errors }) => [
                    trace_id,
                    `${name}, ${seconds(duration_ms)}, ${relativeTime(Date.parse(start), now)}${errors > 0 ? `, ${counted(errors, 'error')}` : ''}`,
                  ])}
                  value={chosen?.trace_id ?? ''}
                  onChange={(event) => change({ trace: event.target.value, span: undefined })}
                />
                <button
                  type="button"
                  aria-pressed={failed}
                  onClick={() => change({ errors: failed ? undefined : 'first', trace: undefined })}
                  className="h-9 rounded-control border border-line bg-surface px-3 font-medium shadow-card hover:bg-hover aria-pressed:border-bad aria-pressed:bg-bad-soft aria-pressed:text-bad"
                >
                  Only with errors
                </button>
              </div>
              {chosen ? (
                <WaterfallView
                  key={chosen.trace_id}
                  project={project}
                  traceId={chosen.trace_id}
                  span={params.span}
                  onOpen={(span) => change({ trace: chosen.trace_id, span })}
                />
              ) : (
                <Card>
                  {failed ? (
                    <EmptyState icon="check" title="Nothing failed in this session" />
                  ) : (
                    <EmptyState icon="trace" title="Its spans are gone">
                      Retention keeps the newest; the journal still says what was governed and refused.
                    </EmptyState>
                  )}
                </Card>
              )}
            </div>
          );
        }}
      </QueryView>
      <ConversationView
        project={project}
        sessionId={sessionId}
        span={params.span}
        onOpen={({ trace_id, span_id }) => change({ trace: trace_id, span: span_id })}
      />
    </div>
  );
}
