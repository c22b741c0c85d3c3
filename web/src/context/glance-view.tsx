import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Total, totalOf } from '../numbers.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { titleWords } from '../ui/id-words.ts';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { NoWorkYet } from './no-work-yet.tsx';
import { PackageRow } from './package-row.tsx';
import {
  type AskedQuestion,
  countsQuery,
  type Fact,
  type Handoff,
  orientQuery,
  type Package,
} from './queries.ts';
import type { ViewProps } from './view-props.ts';

/** What an agent is told first, in the order in which it is told: handoffs, questions, facts, work. */
export function GlanceView({ project, onOpen }: ViewProps) {
  const query = useQuery(orientQuery(project));
  const { data: counts } = useQuery(countsQuery(project));
  return (
    <QueryView query={query} rows={8}>
      {({ recent_packages: packages, active_facts: facts, handoffs, questions, window_days }) =>
        packages.length + facts.length + questions.length + handoffs.length === 0 ? (
          <Card>
            <NoWorkYet project={project} />
          </Card>
        ) : (
          <div className="flex flex-col gap-4">
            {handoffs.length > 0 && (
              <section aria-label="Handoffs" className="flex flex-col gap-3">
                {handoffs.map((handoff) => (
                  <HandoffCard key={handoff.package_id} handoff={handoff} onOpen={onOpen} />
                ))}
              </section>
            )}
            <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
              <div className="flex min-w-0 flex-col gap-4">
                <Card
                  flush
                  title="What was done"
                  aside={
                    <Quiet>
                      the newest of the last {window_days} days
                      {counts && `, ${totalOf(counts.packages, 'package')} in all`}
                    </Quiet>
                  }
                >
                  {packages.length === 0 ? (
                    <None>Nothing in this time.</None>
                  ) : (
                    <ul className="mt-1 divide-y divide-line border-line border-t">
                      {packages.map((each) => (
                        <PackageRow key={each.package_id} given={each} onOpen={onOpen} />
                      ))}
                    </ul>
                  )}
                </Card>
                <DecisionsCard packages={packages} onOpen={onOpen} />
              </div>
              <div className="flex min-w-0 flex-col gap-4">
                <QuestionsCard questions={questions} onOpen={onOpen} />
                <CurrentFactsCard facts={facts} total={counts?.facts} />
              </div>
            </div>
          </div>
        )
      }
    </QueryView>
  );
}

function HandoffCard({ handoff, onOpen }: { handoff: Handoff; onOpen: (id: string) => void }) {
  const { title, handoff_note, estimated_next_actor: next, from, created_at, package_id } = handoff;
  return (
    <article className="rounded-card border border-line bg-surface p-4 shadow-[inset_3px_0_0_var(--accent),var(--shadow)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-soft">
        <Badge tone="accent" icon="right">
          Handoff{next ? ` to ${next === 'human' ? 'a person' : 'an agent'}` : ''}
        </Badge>
        <ActorName id={from.id} type={from.type} />
        <TimeAgo at={created_at} />
      </div>
      <h2 className="mt-2 font-semibold">
        <button type="button" onClick={() => onOpen(package_id)} className="text-left hover:underline">
          {title}
        </button>
      </h2>
      {handoff_note && (
        <p className="mt-1 max-w-[80ch] whitespace-pre-wrap break-words text-soft">{handoff_note}</p>
      )}
    </article>
  );
}

function DecisionsCard({ packages, onOpen }: { packages: readonly Package[]; onOpen: (id: string) => void }) {
  const decisions = packages.flatMap((each) =>
    (each.decisions_made ?? []).map((text) => ({ text, from: each })),
  );
  if (decisions.length === 0) return null;
  return (
    <Card flush title="Decided">
      <ul className="mt-1 divide-y divide-line border-line border-t">
        {decisions.map(({ text, from }) => (
          <li key={`${from.package_id} ${text}`} className="px-4 py-2.5">
            <p className="break-words">{text}</p>
            <Origin
              id={from.package_id}
              title={from.title}
              by={from.created_by.id}
              at={from.created_at}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function QuestionsCard({
  questions,
  onOpen,
}: {
  questions: readonly AskedQuestion[];
  onOpen: (id: string) => void;
}) {
  return (
    <Card flush title="Open questions">
      {questions.length === 0 ? (
        <None>None.</None>
      ) : (
        <ul className="mt-1 divide-y divide-line border-line border-t">
          {questions.map(({ question, package_id, asked_by, asked_at }) => (
            <li key={`${package_id} ${question}`} className="px-4 py-2.5">
              <p className="break-words">{question}</p>
              <Origin id={package_id} title="asked" by={asked_by.id} at={asked_at} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const SHOWN_FACTS = 12;

function CurrentFactsCard({ facts, total }: { facts: readonly Fact[]; total: Total | undefined }) {
  const more = total !== undefined && total.count > Math.min(facts.length, SHOWN_FACTS);
  return (
    <Card flush title="True now" aside={more && <Quiet>the newest of {totalOf(total, 'fact')}</Quiet>}>
      {facts.length === 0 ? (
        <None>No facts yet.</None>
      ) : (
        <dl className="mt-1 divide-y divide-line border-line border-t">
          {facts.slice(0, SHOWN_FACTS).map((fact) => (
            <div key={fact.fact_id} className="px-4 py-2.5">
              <dt className="truncate text-faint text-small" title={`${fact.subject} ${fact.predicate}`}>
                {titleWords(fact.subject)} · {fact.predicate}
              </dt>
              <dd className="break-words font-medium">{fact.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

interface OriginProps {
  readonly id: string;
  readonly title: string;
  readonly by: string;
  readonly at: string;
  readonly onOpen: (id: string) => void;
}

/** Which package says so, whose it is, and when. */
function Origin({ id, title, by, at, onOpen }: OriginProps) {
  return (
    <p className="mt-0.5 flex min-w-0 flex-wrap gap-x-2 text-faint text-small">
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="max-w-full truncate hover:text-ink hover:underline"
      >
        {title}
      </button>
      <span>{by}</span>
      <TimeAgo at={at} />
    </p>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className="text-faint text-small">{children}</span>;
}

function None({ children }: { children: ReactNode }) {
  return <p className="px-4 pb-4 text-soft">{children}</p>;
}
