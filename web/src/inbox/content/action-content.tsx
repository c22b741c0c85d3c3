import { useQuery } from '@tanstack/react-query';
import { FactsList } from '../../ui/facts-list.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import type { InboxItem } from '../queries.ts';
import { approvalQuery } from './approval-query.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';

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
          {approval.approved_parameters && (
            <ContentSection title="What was approved instead">
              <JsonView value={approval.approved_parameters} label="What was approved" wrap />
            </ContentSection>
          )}
          <FactsList
            facts={[
              ['Why it asks', approval.reason],
              ['Session', <ShortId key="session" value={approval.session_id} label="the session" />],
              ['Asked by', approval.requested_by ?? approval.agent_id],
              [
                'Policy',
                `${approval.policy_id}${approval.atlas ? ` of ${approval.atlas.atlas_id} ${approval.atlas.version}` : ''}`,
              ],
              ['A yes allows', approval.allows],
              ...(approval.choices.length > 1
                ? [
                    [
                      'You may also choose',
                      approval.choices
                        .slice(1)
                        .map(({ words }) => words)
                        .join('; '),
                    ] as const,
                  ]
                : []),
            ]}
          />
          <DigestCard
            item={item}
            bound={{
              session_id: approval.session_id,
              agent_id: approval.agent_id,
              requested_by: approval.requested_by,
              action_ids: approval.action_ids,
              atlas: approval.atlas,
              policy_id: approval.policy_id,
              risk_tier: approval.risk_tier,
              parameters: approval.parameters,
              parameters_hash: approval.parameters_hash,
              may_differ: approval.may_differ,
              ...(approval.quorum > 1 && { quorum: approval.quorum }),
              choices: approval.choices,
            }}
          />
        </>
      )}
    </QueryView>
  );
}
