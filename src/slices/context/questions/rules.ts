import { byline, cited } from '../../../kernel/quoted.ts';
import type { Choice, InboxItem } from '../../../spine/inbox/item.ts';
import type { QuestionView } from './schema.ts';

const OWN_WORDS = 'own-words';
const TITLE_CHARACTERS = 200;

/** Their own words come first: nobody chooses an option by approving in haste. */
export function choicesFor(options: readonly string[]): Choice[] {
  if (options.length === 0) return [];
  const own = { id: OWN_WORDS, words: 'In your own words: write the answer into the note' };
  return [own, ...options.map((words, at) => ({ id: `option-${at + 1}`, words }))];
}

/** What a decision says: the option with whatever was written beside it, or the note; undefined if it says nothing. */
export function answerIn(
  choices: readonly Choice[],
  { choice, note }: { readonly choice: string | null; readonly note: string | null },
): string | undefined {
  const written = note?.trim() || undefined;
  const option = choice === OWN_WORDS ? undefined : choices.find(({ id }) => id === choice)?.words;
  return option !== undefined && written !== undefined ? `${option}\n\n${written}` : (option ?? written);
}

export function titleOf(question: string): string {
  const line = question.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= TITLE_CHARACTERS ? line : `${letters.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}

export function questionView(questionId: string, question: string, item: InboxItem): QuestionView {
  const { decision } = item;
  const base = { question_id: questionId, item_id: item.itemId, question };
  if (!decision) {
    const waiting = item.state === 'open';
    return {
      ...base,
      state: waiting ? 'waiting' : 'withdrawn',
      answer: null,
      answered_by: null,
      answered_at: null,
      words: waiting
        ? `Nobody has answered yet; ${item.itemId} waits in the inbox. Go on with what does not depend on it, and read the answer of ${cited(questionId)} later (wait: 50 holds the call).`
        : 'The question is closed without an answer. Ask anew if you still need to know.',
    };
  }
  const by = byline(decision.decidedBy);
  const said = answerIn(item.choices, decision) ?? null;
  const declined = decision.decision === 'reject';
  return {
    ...base,
    state: declined ? 'declined' : 'answered',
    answer: said,
    answered_by: decision.decidedBy.id,
    answered_at: decision.decidedAt,
    words: declined
      ? `Declined by ${by}${said === null ? '' : `: ${cited(said, 2000)}`}. Decide without an answer, or leave it.`
      : `Answered by ${by}: ${cited(said ?? '', 2000)}`,
  };
}
