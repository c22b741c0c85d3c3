import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useListPlace } from '../list-place.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { didName } from '../ui/id-words.ts';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { memoryCountsQuery, proposalsQuery } from './queries.ts';
import { memoryTypeWords } from './type-words.ts';
import type { MemoryViewProps } from './view-props.ts';

/** Decided in the inbox, where everything waits that a person decides. */
export function ProposalsView({ profile }: MemoryViewProps) {
  const place = useListPlace('proposals');
  const query = useQuery(proposalsQuery(profile, place.at));
  const total = useQuery(memoryCountsQuery(profile)).data?.proposals;
  return (
    <Card flush>
      <QueryView query={query} rows={4} rowClassName="h-16">
        {(waiting) =>
          waiting.length === 0 && place.at === 0 ? (
            <EmptyState icon="inbox" title="No proposals are waiting for you">
              What an agent learns about you waits here until you decide. An agent proposes with
              <div className="mt-4 text-left">
                <CommandLine command='npx baton-ledger memory propose "Prefers short answers"' />
              </div>
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Waiting proposals" className="divide-y divide-line">
                {waiting.map(({ proposal, item }) => (
                  <li key={proposal.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                    <span className="min-w-0 flex-1 basis-64">
                      <span className="block break-words">{proposal.content}</span>
                      <span className="mt-1 flex flex-wrap items-center gap-2 text-faint text-small">
                        <Badge>{memoryTypeWords(proposal.memory_type)}</Badge>
                        <span>{proposal.category ?? 'no category'}</span>
                        <span title={proposal.agentDid}>
                          {didName(proposal.agentDid)}, <TimeAgo at={proposal.proposedAt} />
                        </span>
                      </span>
                    </span>
                    {item && (
                      <Link
                        to="/inbox"
                        search={{ item } as never}
                        className="font-medium text-accent underline-offset-4 hover:underline"
                      >
                        Decide in the inbox
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
              <Pager
                label="proposals"
                at={place.at}
                shown={waiting.length}
                total={total}
                busy={query.isPlaceholderData}
                onFirst={place.first}
                onNext={
                  total !== undefined && place.at + waiting.length < total
                    ? () => place.next('', waiting.length)
                    : undefined
                }
              />
            </>
          )
        }
      </QueryView>
    </Card>
  );
}
