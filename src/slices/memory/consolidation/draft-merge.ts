import { comparableText } from '../memory-text.ts';

const SUBJECT = /^(?:(?:the )?(?:user|person) )?/i;
const LIKING =
  /^(likes?|loves?|enjoys?|prefers?|favou?rs?|is interested in|is a fan of|is fond of|listens to)\s+(.+?)[.!]?$/i;

/**
 * A first text for a merge, always the same for the same sources: what they share, then what differs. Whoever approves
 * the merge owns the text and may change it.
 */
export function draftMerge(contents: readonly string[]): string {
  const distinct = withoutDuplicates(contents.map((content) => content.trim()));
  if (distinct.length === 1) return distinct[0] as string;
  return (
    likings(distinct) ?? sharedStart(distinct) ?? distinct.map((text) => text.replace(/[.;]$/, '')).join('; ')
  );
}

function likings(contents: readonly string[]): string | undefined {
  const objects = contents.map((content) => LIKING.exec(content.replace(SUBJECT, ''))?.[2]);
  if (!objects.every((object) => object !== undefined)) return undefined;
  const words = objects.map((object) => object.split(/\s+/));
  const noun = words[0]?.at(-1) ?? '';
  const shared = words.every((each) => each.length > 1 && each.at(-1)?.toLowerCase() === noun.toLowerCase());
  if (!shared) return `Likes: ${withoutDuplicates(objects).join(', ')}`;
  const items = withoutDuplicates(words.map((each) => each.slice(0, -1).join(' ')));
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} preferences: ${items.join(', ')}`;
}

function sharedStart(contents: readonly string[]): string | undefined {
  const words = contents.map((content) => content.replace(/[.!]$/, '').split(/\s+/));
  let length = 0;
  while (words.every((each) => length < each.length - 1 && each[length] === words[0]?.[length])) length += 1;
  if (length < 2) return undefined;
  const rests = withoutDuplicates(words.map((each) => each.slice(length).join(' ')));
  return `${(words[0] as string[]).slice(0, length).join(' ')}: ${rests.join(', ')}`;
}

function withoutDuplicates(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => {
    const key = comparableText(text);
    return !seen.has(key) && seen.add(key);
  });
}
