import { useQuery } from '@tanstack/react-query';
import { useListPlace } from '../list-place.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { decisionsQuery } from './queries.ts';

export function RunDecisions({ id }: { id: string }) {
  const place = useListPlace('rows');
  const query = useQuery(decisionsQuery(id, place.at));
  return (
    <QueryView query={query} rows={3} rowClassName="h-16">
      {({ rows: decisions, total }) =>
        total === 0 ? (
          <EmptyState icon="check" title="No decisions yet">
            Roles decide as they work; what is meant to last becomes a fact of the project.
          </EmptyState>
        ) : (
          <>
            <ul aria-label="Decisions, newest first" className="divide-y divide-line">
              {decisions.map((decision) => (
                <li key={`${decision.id} ${decision.created_at}`} className="px-4 py-3">
                  <p className="flex flex-wrap items-center gap-2">
                    <code className="font-mono text-small">{decision.id}</code>
                    <Badge tone="accent">{decision.role}</Badge>
                    <Badge>{decision.phase}</Badge>
                    {decision.status === 'overridden' && <Badge tone="warn">overridden</Badge>}
                    <span className="ml-auto text-faint text-small">
                      <TimeAgo at={decision.created_at} />
                    </span>
                  </p>
                  <p className="mt-1.5 break-words font-medium">{decision.statement}</p>
                  {decision.rationale && (
                    <p className="break-words text-small text-soft">{decision.rationale}</p>
                  )}
                </li>
              ))}
            </ul>
            <Pager
              label="decisions"
              at={place.at}
              shown={decisions.length}
              total={total}
              first="Newest"
              next="Older"
              onFirst={place.first}
              onNext={
                place.at + decisions.length < total ? () => place.next('', decisions.length) : undefined
              }
            />
          </>
        )
      }
    </QueryView>
  );
}
