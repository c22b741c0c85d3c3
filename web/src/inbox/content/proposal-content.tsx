import { useQuery } from '@tanstack/react-query';
import { memoryTypeWords } from '../../memory/type-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { FactsList } from '../../ui/facts-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { InboxItem } from '../queries.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';
import { PartyName } from './party-name.tsx';
import { type Proposal, proposalQuery } from './proposal-query.ts';

const EVIDENCE: Readonly<Record<string, string>> = {
  user_statement: 'Said by the person',
  inferred: 'Inferred by the agent',
  confirmed: 'Confirmed by the person',
  external: 'From elsewhere',
};

function SensitivityWords({ declared, of_category, effective }: Proposal['sensitivity']) {
  if (declared === undefined || declared === effective) return <>{effective}</>;
  return (
    <>
      {effective} <Badge tone="warn">the agent said {declared}</Badge> its category is {of_category}
    </>
  );
}

/** The digest is salted with a secret of the profile, so that nobody can guess a memory from it; no page recomputes it. */
export function ProposalContent({ item }: { item: InboxItem }) {
  const query = useQuery(proposalQuery(item));
  return (
    <QueryView query={query} rows={3}>
      {(proposal) => (
        <>
          <ContentSection title="To be remembered">
            <QuotedText text={proposal.content} />
          </ContentSection>
          <FactsList
            facts={[
              ...(proposal.about ? [['About', <PartyName key="about" {...proposal.about} />] as const] : []),
              [
                'Proposed by',
                <PartyName key="by" {...(proposal.proposedBy ?? { did: proposal.agentDid })} />,
              ],
              [
                'Type',
                `${memoryTypeWords(proposal.memory_type)}${proposal.memory_type_given === false ? ' (by default)' : ''}`,
              ],
              ...(proposal.category
                ? [
                    [
                      'Category',
                      <code key="category" className="font-mono text-small">
                        {proposal.category}
                      </code>,
                    ] as const,
                  ]
                : []),
              ['Sensitivity', <SensitivityWords key="sensitivity" {...proposal.sensitivity} />],
              ['Shared in', proposal.scope.length > 0 ? proposal.scope.join(', ') : 'Any context'],
              ...(proposal.tags.length > 0 ? [['Tags', proposal.tags.join(', ')] as const] : []),
              ['Confidence', `${Math.round(proposal.confidence * 100)}%`],
              ['Priority', proposal.priority],
              ...(proposal.agent_name ? [['Calls itself', proposal.agent_name] as const] : []),
              ...(proposal.session_id ? [['Learned in session', proposal.session_id] as const] : []),
              ...(proposal.targetMemoryId ? [['Changes memory', proposal.targetMemoryId] as const] : []),
              ...(proposal.supersedes ? [['Replaces memory', proposal.supersedes] as const] : []),
              ['Proposed', <TimeAgo key="proposed" at={proposal.proposedAt} />],
              ['Expires', <TimeAgo key="expires" at={proposal.expiresAt} />],
              ...(proposal.context ? [['Why', proposal.context] as const] : []),
            ]}
          />
          {proposal.evidence.length > 0 && (
            <ContentSection title="Evidence">
              <div className="flex flex-col gap-2">
                {proposal.evidence.map(({ quote, type, timestamp }) => (
                  <div key={`${type} ${quote}`}>
                    {quote && <QuotedText text={quote} />}
                    <p className="mt-0.5 text-faint text-small">
                      {EVIDENCE[type ?? ''] ?? type ?? 'Unspecified type'}
                      {timestamp && (
                        <>
                          , <TimeAgo at={timestamp} />
                        </>
                      )}
                    </p>
                  </div>
                ))}
              </div>
            </ContentSection>
          )}
          {proposal.similar.length > 0 && (
            <ContentSection title="Known already">
              <ul className="flex flex-col gap-1.5">
                {proposal.similar.map(({ memory, exact, may_contradict }) => (
                  <li key={memory.id} className="flex flex-wrap items-center gap-2">
                    <span className="min-w-0 break-words">{memory.content}</span>
                    {exact && <Badge tone="info">the same</Badge>}
                    {may_contradict && <Badge tone="warn">may contradict</Badge>}
                  </li>
                ))}
              </ul>
            </ContentSection>
          )}
          <DigestCard item={item} />
        </>
      )}
    </QueryView>
  );
}
