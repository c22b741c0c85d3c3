import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { FactsList } from '../../ui/facts-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import type { InboxItem } from '../queries.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';

const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'approval', id],
    queryFn: ({ signal }) => client.call('approvals.get', { approval_id: id }, { signal }),
  });

export function ActionContent({ item }: { item: InboxItem }) {
  const query = useQuery(approvalQuery(item.id));
  return (
    <QueryView query={query} rows={3}>
      {(approval) => (
        <>
          <ContentSection title="The agent’s goal">
            <QuotedText text={approval.goal} />
          </ContentSection>
          <ContentSection title="What it would run">
            <ul className="flex flex-wrap gap-1.5">
              {approval.action_ids.map((id) => (
                <li key={id} className="rounded-md bg-sunken px-2 py-0.5 font-mono text-small">
                  {id}
                </li>
              ))}
            </ul>
          </ContentSection>
          <FactsList
            facts={[
              ['Why it asks', approval.reason],
              ['Session', <ShortId key="session" value={approval.session_id} label="the session" />],
              [
                'Counts for',
                approval.parameters_hash === null ? (
                  'every call of these actions in this session, until it expires'
                ) : (
                  <span key="parameters">
                    only the call with parameters{' '}
                    <ShortId value={approval.parameters_hash} label="the hash of the parameters" />
                  </span>
                ),
              ],
            ]}
          />
          <DigestCard
            item={item}
            bound={{
              session_id: approval.session_id,
              agent_id: approval.agent_id,
              action_ids: approval.action_ids,
              policy_id: approval.policy_id,
              parameters_hash: approval.parameters_hash,
            }}
          />
        </>
      )}
    </QueryView>
  );
}
