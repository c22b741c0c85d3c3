import { titleWords } from '../ui/id-words.ts';
import type { InboxItem } from './queries.ts';

const ASKS = / asks to run (.+)$/;

/** What a call would run, where its values tell it from the next; otherwise the title says it best. */
export function actionOf({ kind, title, highlights }: InboxItem): string | undefined {
  return kind === 'carp_approval' && (highlights ?? []).length > 0 ? ASKS.exec(title)?.[1] : undefined;
}

/** One request in a line: the values that decide are what one looks for. */
export function ItemTitle({ item }: { item: InboxItem }) {
  const asked = actionOf(item);
  if (asked === undefined) return titleWords(item.title);
  return (
    <>
      <span className="font-medium">{asked}</span> <ItemValues item={item} most={3} />
    </>
  );
}

export function ItemValues({ item, most = 5 }: { item: InboxItem; most?: number }) {
  return (item.highlights ?? []).slice(0, most).map(({ name, value, deciding }, at) => (
    <span key={name}>
      {at > 0 && <span className="text-faint"> · </span>}
      <span className="text-faint">{name} </span>
      {deciding ? <strong className="font-semibold text-ink">{String(value)}</strong> : String(value)}
    </span>
  ));
}
