import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { shortId } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { QuarantineModal } from './quarantine-modal.tsx';
import { type Explanation, forwardQuery, type Relied } from './queries.ts';
import { kindIcon, kindName } from './why-words.ts';

interface ReliedOnProps {
  readonly explanation: Explanation;
  readonly onAsk: (thing: { readonly id: string; readonly kind: string }) => void;
}

/** The other direction: what would have to be looked at if this turned out to be wrong. */
export function ReliedOn({ explanation, onAsk }: ReliedOnProps) {
  const { id, kind, project_id: project } = explanation;
  const query = useQuery(forwardQuery({ id, kind, project }));
  const [asking, setAsking] = useState(false);
  const packages = query.data?.by_kind.package ?? 0;
  return (
    <Card
      flush
      title="What relied on this"
      aside={
        (packages > 0 || kind === 'package') && (
          <Button icon="lock" onClick={() => setAsking(true)}>
            Quarantine…
          </Button>
        )
      }
    >
      <QueryView query={query} rows={3}>
        {(relied) =>
          relied.total === 0 ? (
            <p className="px-4 py-4 text-soft">Nothing is known to have relied on it.</p>
          ) : (
            <>
              <p className="border-line border-b px-4 py-2.5">
                <strong className="font-semibold">
                  {relied.complete ? '' : 'At least '}
                  {counted(relied.total, 'thing')}
                </strong>{' '}
                <span className="text-soft">{kindsIn(relied)}</span>
              </p>
              <ul
                aria-label="What relied on this"
                className="max-h-[28rem] divide-y divide-line overflow-y-auto"
              >
                {relied.things.map((thing) => (
                  <li key={`${thing.kind} ${thing.id}`}>
                    <button
                      type="button"
                      onClick={() =>
                        onAsk({ id: thing.id, kind: thing.kind === 'reading' ? 'event' : thing.kind })
                      }
                      className="flex w-full items-start gap-2.5 py-2 pr-4 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
                      style={{ paddingLeft: `${0.4 + Math.min(thing.distance, 5) * 0.6}rem` }}
                    >
                      <Icon name={kindIcon(thing.kind)} size={15} className="mt-1 shrink-0 text-faint" />
                      <span className="min-w-0 flex-1 leading-snug">
                        <span className="block text-faint text-tiny">
                          {kindName(thing.kind)}, by its {thing.as}
                          {thing.distance > 1 &&
                            ` on ${kindName(thing.from.kind).toLowerCase()} ${shortId(thing.from.id)}`}
                        </span>
                        <span className="block break-words">
                          <code className="font-mono text-small">{shortId(thing.id)}</code>
                          {thing.words && <span className="text-soft"> {thing.words}</span>}
                        </span>
                      </span>
                      <span className="shrink-0 text-right text-faint text-small">
                        {thing.by && <span className="block">{thing.by}</span>}
                        {thing.at && <TimeAgo at={thing.at} />}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
              {relied.total > relied.things.length && (
                <p className="border-line border-t px-4 py-2 text-small text-soft">
                  The nearest {relied.things.length}. All of them:{' '}
                  <code className="font-mono">baton why --forward --json {shortId(relied.id)}</code>
                </p>
              )}
            </>
          )
        }
      </QueryView>
      {asking && query.data && <QuarantineModal relied={query.data} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function kindsIn({ by_kind }: Relied): string {
  return Object.entries(by_kind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, n]) => counted(n, kindName(kind).toLowerCase(), `${kindName(kind).toLowerCase()}s`))
    .join(', ');
}
