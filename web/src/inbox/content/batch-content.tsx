import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { FactsList } from '../../ui/facts-list.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { InboxItem } from '../queries.ts';
import { type BatchProposal, batchQuery } from './batch-query.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';
import { PartyName } from './party-name.tsx';

const RELATIONS: Readonly<Record<string, readonly [words: string, tone: 'info' | 'warn' | 'neutral']>> = {
  same: ['known already', 'info'],
  conflict: ['may contradict', 'warn'],
  promotion: ['says in general what this says of once', 'info'],
  merge: ['could be one memory', 'info'],
  related: ['related', 'neutral'],
};

/** What the person said in conversations, each with where it was said and what is known beside it. */
export function BatchContent({ item }: { item: InboxItem }) {
  const query = useQuery(batchQuery(item));
  return (
    <QueryView query={query} rows={4}>
      {({ about, proposed_by, proposals }) => (
        <>
          <FactsList
            facts={[
              ...(about ? [['About', <PartyName key="about" {...about} />] as const] : []),
              ...(proposed_by ? [['Heard by', <PartyName key="by" {...proposed_by} />] as const] : []),
            ]}
          />
          {proposals.map((proposal) => (
            <Proposed key={proposal.proposal_id} proposal={proposal} />
          ))}
          <DigestCard item={item} />
        </>
      )}
    </QueryView>
  );
}

function Proposed({ proposal }: { proposal: BatchProposal }) {
  const { content, memory_type, category, sensitivity, evidence, known } = proposal;
  const [said] = evidence;
  return (
    <ContentSection title={content}>
      <p className="text-small text-soft">
        {[memory_type, category, sensitivity.effective].filter(Boolean).join(' · ')}
      </p>
      {said?.quote && <QuotedText text={said.quote} />}
      {said?.timestamp && (
        <p className="mt-0.5 text-faint text-small">
          Said <TimeAgo at={said.timestamp} />
        </p>
      )}
      {known.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {known.map((each) => {
            const [words, tone] = RELATIONS[each.relation] ?? [each.relation, 'neutral'];
            return (
              <li key={each.memory_id} className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 break-words">{each.content}</span>
                <Badge tone={tone}>{words}</Badge>
                {each.draft && <span className="text-faint text-small">Together: {each.draft}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </ContentSection>
  );
}
