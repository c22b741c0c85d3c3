import { maybe, shape, text } from '../../api/shape.ts';
import type { InboxItem } from '../queries.ts';
import { ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';

const readQuestion = maybe(shape({ question: text, details: text }));

/** What an agent wants to know. To approve is to answer: by an option, or in the note. */
export function QuestionContent({ item }: { item: InboxItem }) {
  const asked = readQuestion(item.details);
  return (
    <>
      <ContentSection title="Question">
        <QuotedText text={asked?.question || item.title} />
      </ContentSection>
      {asked?.details && (
        <ContentSection title="What you need to know">
          <QuotedText text={asked.details} />
        </ContentSection>
      )}
      <p className="text-small text-soft">
        Approving answers it: choose an option, or write the answer into the note.
      </p>
      <DigestCard item={item} />
    </>
  );
}
