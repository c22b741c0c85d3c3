import { useQuery } from '@tanstack/react-query';
import { counted, seconds } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { useNow } from '../ui/time-ago.tsx';
import { relativeTime } from '../ui/time-words.ts';
import { compareQuery, tracesQuery } from './queries.ts';

const COLUMNS =
  'grid grid-cols-[minmax(0,1fr)_3.5rem_3.5rem] gap-x-4 md:grid-cols-[minmax(0,1fr)_11rem_4rem_4rem]';

/** `invoke_agent planner · planner` names its agent twice. */
function stepWords(step: string): string {
  const [, name = '', whose = ''] = /^(.*) · (.*)$/.exec(step) ?? [];
  return name.endsWith(whose) && whose !== '' ? name : step;
}

/** Two traces step by step: what one has and the other not, and what differs in both. */
export function CompareView({ project, sessionId }: { project: string; sessionId: string }) {
  const [params, change] = useParams();
  const now = useNow();
  const { data } = useQuery(tracesQuery(project, sessionId, false));
  const traces = data?.items ?? [];
  const left = params.left ?? traces[1]?.trace_id ?? '';
  const right = params.right ?? traces[0]?.trace_id ?? '';
  const query = useQuery(compareQuery(project, left, right));
  const options = traces.map(
    ({ trace_id, name, start, errors }) =>
      [
        trace_id,
        `${name}, ${relativeTime(Date.parse(start), now)}${errors > 0 ? `, ${counted(errors, 'error')}` : ''}`,
      ] as const,
  );
  if (data && traces.length < 2) {
    return (
      <Card>
        <EmptyState icon="compare" title="Only one trace">
          There is nothing to compare it with in this session.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card flush>
      <div className="grid grid-cols-1 gap-3 p-4 sm:grid-cols-2">
        <SelectField
          label="Left"
          options={options}
          value={left}
          onChange={(event) => change({ left: event.target.value })}
        />
        <SelectField
          label="Right"
          options={options}
          value={right}
          onChange={(event) => change({ right: event.target.value })}
        />
      </div>
      <QueryView query={query} rows={6}>
        {(found) => (
          <>
            <p className="px-4 pb-3 text-soft">
              {counted(found.left.spans, 'span')} in {seconds(found.left.duration_ms)} against{' '}
              {counted(found.right.spans, 'span')} in {seconds(found.right.duration_ms)};{' '}
              {counted(
                found.steps.filter(({ change }) => change !== 'same').length,
                'step differs',
                'steps differ',
              )}
              .
            </p>
            <div
              aria-hidden="true"
              className={`${COLUMNS} border-line border-t bg-sunken/60 px-4 py-1 text-faint text-tiny`}
            >
              <span>Step</span>
              <span className="hidden md:block" />
              <span className="text-right">Left</span>
              <span className="text-right">Right</span>
            </div>
            <ul aria-label="Steps" className="divide-y divide-line border-line border-t">
              {found.steps.map((step) => (
                <li key={step.path.join(' / ')} className={`${COLUMNS} items-center px-4 py-1.5`}>
                  <span
                    className="min-w-0 truncate"
                    style={{ paddingLeft: `${Math.min(step.path.length - 1, 8) * 0.8}rem` }}
                    title={step.path.join(' / ')}
                  >
                    {stepWords(step.path.at(-1) ?? '')}
                  </span>
                  <span className="hidden md:block">
                    <Change change={step.change} differences={step.differences} />
                  </span>
                  <span className="tabular text-right text-small text-soft">
                    {step.left ? seconds(step.left.duration_ms) : '–'}
                  </span>
                  <span className="tabular text-right text-small text-soft">
                    {step.right ? seconds(step.right.duration_ms) : '–'}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </Card>
  );
}

const changes: Readonly<Record<string, { words: string; tone: Tone }>> = {
  only_left: { words: 'only left', tone: 'warn' },
  only_right: { words: 'only right', tone: 'info' },
};

function Change({ change, differences }: { change: string; differences: readonly string[] }) {
  if (change === 'same') return null;
  const { words, tone } = changes[change] ?? {
    words: `${differences.join(', ')} ${differences.length > 1 || differences[0] === 'tokens' ? 'differ' : 'differs'}`,
    tone: 'accent',
  };
  return <Badge tone={tone}>{words}</Badge>;
}
