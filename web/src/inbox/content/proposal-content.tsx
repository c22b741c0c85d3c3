import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { FactsList } from '../../ui/facts-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { InboxItem } from '../queries.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';
import { proposalQuery } from './proposal-query.ts';

/** The digest is salted with a secret of the profile, so that nobody can guess a memory from it; no page recomputes it. */
export function ProposalContent({ item }: { item: InboxItem }) {
  const query = useQuery(proposalQuery(item.subject.id));
  return (
    <QueryView query={query} rows={3}>
      {(proposal) => (
        <>
          <ContentSection title="To be remembered">
            <QuotedText text={proposal.content} />
          </ContentSection>
          <FactsList
            facts={[
              ['Type', proposal.memory_type],
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
              ['Confidence', `${Math.round(proposal.confidence * 100)} %`],
              ...(proposal.context ? [['Why', proposal.context] as const] : []),
            ]}
          />
          {proposal.evidence && proposal.evidence.length > 0 && (
            <ContentSection title="Evidence">
              <div className="flex flex-col gap-2">
                {proposal.evidence.map(({ quote, type }) => (
                  <QuotedText key={`${type} ${quote}`} text={quote ?? type ?? ''} />
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
