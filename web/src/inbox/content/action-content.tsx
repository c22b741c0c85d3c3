import { useQuery } from '@tanstack/react-query';
import { JsonView } from '../../ui/json-view.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import type { InboxItem } from '../queries.ts';
import { approvalQuery } from './approval-query.ts';
import { ArgumentsTable } from './arguments-table.tsx';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DecidedBefore } from './decided-before.tsx';
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
          <ArgumentsTable item={item} approval={approval} />
          {approval.approved_parameters && (
            <ContentSection title="What was approved instead">
              <JsonView value={approval.approved_parameters} label="What was approved" wrap />
            </ContentSection>
          )}
          <div className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
            <ContentSection title="What a yes covers">
              <p>{sentence(approval.allows)}</p>
              {approval.choices.length > 1 && (
                <p className="mt-1 text-small text-soft">
                  You may also choose:{' '}
                  {approval.choices
                    .slice(1)
                    .map(({ words }) => words)
                    .join('; ')}
                  .
                </p>
              )}
            </ContentSection>
            <ContentSection title="Why it asks">
              <p>{sentence(approval.reason)}</p>
              <p className="mt-1 text-small text-soft">
                <code className="break-words font-mono">{approval.policy_id}</code>
                {approval.atlas && ` of ${approval.atlas.atlas_id} ${approval.atlas.version}`}
              </p>
            </ContentSection>
            <ContentSection title="Who may decide">
              <p>
                {approval.approvers === null ? 'Anybody who may decide' : approval.approvers.join(' or ')}
                {approval.quorum > 1 && `; ${approval.quorum} of them have to agree`}.
              </p>
              <p className="mt-1 text-small text-soft">
                Not {approval.requested_by ?? approval.agent_id}: it asked.
              </p>
            </ContentSection>
            <ContentSection title="In the session">
              <ShortId value={approval.session_id} label="the session" />
            </ContentSection>
          </div>
          <DecidedBefore item={item} />
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

/** What the server says as part of a sentence, as one of its own. */
function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
