import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { FactsList } from '../../ui/facts-list.tsx';
import { JsonView } from '../../ui/json-view.tsx';
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
          {approval.parameters && (
            <ContentSection title="With these parameters">
              <JsonView value={approval.parameters} label="The parameters" wrap />
              {approval.parameters_hash && (
                <p className="mt-1 text-small text-soft">
                  As they were sent, their hash is{' '}
                  <ShortId value={approval.parameters_hash} label="the hash of the parameters" />
                </p>
              )}
            </ContentSection>
          )}
          <FactsList
            facts={[
              ['Why it asks', approval.reason],
              ['Session', <ShortId key="session" value={approval.session_id} label="the session" />],
              ['Approval covers', coverage(approval)],
            ]}
          />
          <DigestCard
            item={item}
            bound={{
              session_id: approval.session_id,
              agent_id: approval.agent_id,
              action_ids: approval.action_ids,
              policy_id: approval.policy_id,
              covers: approval.covers,
              parameters: approval.parameters,
              parameters_hash: approval.parameters_hash,
            }}
          />
        </>
      )}
    </QueryView>
  );
}

function coverage({ covers, parameters, action_ids }: Result<Operations['approvals.get']>): string {
  if (covers === 'call') return 'this one call, with exactly these parameters';
  const calls = action_ids.length === 1 ? 'every call of this action' : 'every call of these actions';
  const however = parameters ? ', also with other parameters,' : '';
  return `${calls} in this session${however} until it expires`;
}
