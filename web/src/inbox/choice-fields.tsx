import type { InboxItem } from './queries.ts';

/** How much is approved, in the words that the decision is bound to. One choice is said, several are chosen from. */
export function ChoiceFields({ choices }: { choices: InboxItem['choices'] }) {
  const [only, ...others] = choices;
  if (only === undefined) return null;
  if (others.length === 0) {
    return (
      <p className="text-small">
        You approve: <strong className="font-medium">{only.words}</strong>.
      </p>
    );
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-small">You approve</legend>
      {choices.map(({ id, words }) => (
        <label key={id} className="flex items-start gap-2 text-small">
          <input type="radio" name="choice" value={id} defaultChecked={id === only.id} className="mt-0.5" />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
