import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParams } from '../search-params.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { titleWords } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { believedQuery, type Fact, subjectQuery } from './queries.ts';
import { DAY_MS, daysOf, type Interval, type Timeline, timelineOf } from './timeline.ts';

const RANGES = [
  ['7', '7 d'],
  ['30', '30 d'],
  ['all', 'All'],
] as const;
type Range = (typeof RANGES)[number][0];
const SHORTEST = 7;

interface SubjectTimelineProps {
  readonly project: string;
  readonly subject: string;
}

/** What was true of one subject when, who said so, and what was believed at an instant of one's choice. */
export function SubjectTimeline({ project, subject }: SubjectTimelineProps) {
  const query = useQuery(subjectQuery(project, subject));
  const [, change] = useParams();
  return (
    <Card
      flush
      className="mb-4"
      title={
        <>
          What was true of <code className="font-mono">{titleWords(subject)}</code>
        </>
      }
      aside={
        <IconButton
          icon="cross"
          label="Close the timeline"
          onClick={() => change({ subject: undefined, at: undefined })}
        />
      }
    >
      <QueryView query={query} rows={4}>
        {(facts) =>
          facts.length === 0 ? (
            <EmptyState icon="clock" title="Nothing is asserted about this subject" />
          ) : (
            <Drawn project={project} subject={subject} facts={facts} />
          )
        }
      </QueryView>
    </Card>
  );
}

function Drawn({ project, subject, facts }: SubjectTimelineProps & { facts: readonly Fact[] }) {
  const [params, change] = useParams();
  // One instant for all of it, so that nothing moves under the pointer.
  const [now] = useState(() => Date.now());
  const whole = daysOf(facts, now);
  const [range, setRange] = useState<Range>('all');
  const timeline = timelineOf(facts, now, range === 'all' ? undefined : Number(range));
  const linked = Date.parse(params.at ?? '');
  const [at, setAt] = useState(Number.isNaN(linked) ? now : linked);
  useEffect(() => {
    const pause = setTimeout(() => {
      const next = at >= now ? undefined : new Date(at).toISOString();
      if (next !== params.at) change({ at: next }, { replace: true });
    }, 300);
    return () => clearTimeout(pause);
  }, [at, now, params.at, change]);
  const { start, end } = timeline;
  const late = facts.filter(
    ({ valid_from, created_at }) => Date.parse(created_at) - Date.parse(valid_from) > 1_000,
  ).length;
  return (
    <div className="grid grid-cols-1 border-line border-t lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="min-w-0 p-4">
        <div className="mb-3 flex flex-wrap items-center gap-2">
          {late > 0 && (
            <>
              <Badge tone="warn" icon="clock">
                {late} learned late
              </Badge>
              <span className="text-faint text-small">hatched: true already, but not yet written</span>
            </>
          )}
          {whole > SHORTEST && (
            <span className="ml-auto">
              <Choice
                small
                label="How far back"
                options={RANGES.filter(([days]) => days === 'all' || Number(days) < whole)}
                chosen={range}
                onChange={(next) => {
                  setRange(next);
                  if (next !== 'all') setAt(Math.max(at, now - Number(next) * DAY_MS));
                }}
              />
            </span>
          )}
        </div>
        <Lanes timeline={timeline} at={at} />
        <div className="mt-2 grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3">
          <label htmlFor="as-of" className="font-medium text-small">
            As of
          </label>
          <input
            id="as-of"
            type="range"
            min={Math.floor(start / 1000)}
            max={Math.ceil(end / 1000)}
            step={1}
            value={Math.round(at / 1000)}
            aria-valuetext={new Date(at).toLocaleString('en-GB')}
            onChange={(event) => setAt(Number(event.target.value) * 1000)}
            className="w-full accent-accent-solid"
          />
        </div>
        <div className="mt-2 flex flex-wrap items-end gap-3">
          <TextField
            label="To the second"
            type="datetime-local"
            step={1}
            value={localText(at)}
            onChange={(event) => {
              const typed = new Date(event.target.value).getTime();
              if (!Number.isNaN(typed)) setAt(typed);
            }}
          />
        </div>
      </div>
      <Believed project={project} subject={subject} at={new Date(at).toISOString()} />
    </div>
  );
}

/** What `datetime-local` wants: this browser's time, without a zone. */
function localText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function Lanes({ timeline, at }: { timeline: Timeline; at: number }) {
  const { start, end, lanes } = timeline;
  const share = ((at - start) / (end - start)) * 100;
  return (
    <ul aria-label="Values over time" className="relative">
      {lanes.map(({ predicate, intervals }) => (
        <li
          key={predicate}
          className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 border-line border-b py-1"
        >
          <code className="truncate font-mono font-semibold text-small" title={predicate}>
            {predicate}
          </code>
          <span className="relative block h-8">
            {intervals.map((interval) => (
              <Bar key={interval.fact.fact_id} interval={interval} />
            ))}
            <span
              aria-hidden="true"
              className="absolute -inset-y-1 w-0.5 bg-accent"
              style={{ left: `${Math.min(100, Math.max(0, share))}%` }}
            />
          </span>
        </li>
      ))}
      <li aria-hidden="true" className="grid grid-cols-[7rem_minmax(0,1fr)] gap-3 pt-1 text-faint text-tiny">
        <span />
        <span className="flex justify-between">
          <span>{dayWords(start)}</span>
          <span>{dayWords((start + end) / 2)}</span>
          <span>now</span>
        </span>
      </li>
    </ul>
  );
}

function dayWords(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** A share of the whole time. */
const NARROW = 0.08;

function Bar({ interval }: { interval: Interval }) {
  const { fact, from, to, written } = interval;
  const by = fact.asserted_by;
  const color = by?.type === 'human' ? 'var(--ink-soft)' : actorColor(by?.id ?? '');
  const said = by ? `, said by ${by.id}` : '';
  return (
    <span
      title={`${fact.value}${said}, from ${dayWords(Date.parse(fact.valid_from))}`}
      className="absolute inset-y-0.5 min-w-1 overflow-hidden rounded-md border"
      style={{
        left: `${from * 100}%`,
        width: `${Math.max(0, to - from) * 100}%`,
        borderColor: `color-mix(in srgb, ${color} 55%, transparent)`,
        background: `color-mix(in srgb, ${color} 12%, var(--surface))`,
      }}
    >
      {written > from && (
        <span
          className="hatched absolute inset-y-0 left-0"
          style={{ width: `${((written - from) / Math.max(to - from, Number.EPSILON)) * 100}%` }}
        />
      )}
      {/* Where there is no room for a word, its first letter says nothing; the title and the table do. */}
      {to - from > NARROW && (
        <span className="relative my-1 ml-1 inline-block max-w-[calc(100%-0.5rem)] truncate rounded-sm bg-surface px-1.5 leading-5">
          <span className="font-semibold">{fact.value}</span>
          {by && <span className="ml-1.5 text-soft text-tiny">{by.id}</span>}
        </span>
      )}
    </span>
  );
}

/** What was believed at that instant, beside what is known today of how it was. */
function Believed({ project, subject, at }: SubjectTimelineProps & { at: string }) {
  const query = useQuery(believedQuery(project, subject, at));
  return (
    <section
      aria-label="Believed and true"
      className={`min-w-0 border-line border-t p-4 lg:border-t-0 lg:border-l ${query.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <h3 className="font-semibold">On {dayWords(Date.parse(at))}</h3>
      <QueryView query={query} rows={3}>
        {(rows) => {
          const wrong = rows.filter(({ believed, wasTrue }) => believed !== wasTrue).length;
          return (
            <>
              <p className="mb-2 text-soft">
                {rows.length === 0
                  ? 'Nothing was known yet.'
                  : wrong === 0
                    ? 'What was believed was true.'
                    : `${wrong} of ${rows.length} believed wrongly.`}
              </p>
              {rows.length > 0 && (
                <table className="w-full text-left text-small">
                  <thead className="text-faint [&_th]:pb-1 [&_th]:font-normal">
                    <tr>
                      <th scope="col">Fact</th>
                      <th scope="col">Believed</th>
                      <th scope="col">Was true</th>
                    </tr>
                  </thead>
                  <tbody className="divide-y divide-line">
                    {rows.map(({ predicate, believed, wasTrue }) => (
                      <tr
                        key={predicate}
                        className={believed === wasTrue ? undefined : 'bg-warn-soft font-semibold text-warn'}
                      >
                        <th scope="row" className="break-all py-1.5 pr-2 font-mono font-normal">
                          {predicate}
                        </th>
                        <td className="break-words py-1.5 pr-2">{believed ?? 'nothing'}</td>
                        <td className="break-words py-1.5">{wasTrue ?? 'nothing'}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </>
          );
        }}
      </QueryView>
    </section>
  );
}
