import { type HookEntries, isHookItem } from './hook-entries.ts';
import { memberAt, setMember } from './json-edit.ts';
import { appendItem, dropEmpty, removeItems } from './json-list.ts';

/** The text with exactly these hooks of the client: those of an earlier version give way. */
export function putHooks(text: string, client: string, { items, members = [] }: HookEntries): string {
  const start = text.trim() === '' ? '{}\n' : text;
  if (holdsExactly(start, client, items)) return text;
  let edited = takeHooks(start, client);
  for (const { path, value } of members) {
    if (memberAt(edited, path) === undefined) edited = setMember(edited, path, value);
  }
  return items.reduce((done, { path, item }) => appendItem(done, path, item), edited);
}

/** The text without the client's hooks of ours, and without lists and sections that hold nothing then. */
export function takeHooks(text: string, client: string): string {
  if (text.trim() === '') return text;
  let edited = text;
  for (const event of eventsIn(text)) {
    const before = edited;
    edited = removeItems(edited, ['hooks', event], (item) => isHookItem(client, item));
    if (edited !== before) edited = dropEmpty(edited, ['hooks', event]);
  }
  return edited === text ? text : dropEmpty(edited, ['hooks']);
}

/** What a client's settings hold of ours, as they are written. */
export function hooksIn(text: string, client: string): { readonly event: string; readonly item: unknown }[] {
  if (text.trim() === '') return [];
  return eventsIn(text).flatMap((event) => {
    const list = memberAt(text, ['hooks', event]);
    const ours = Array.isArray(list) ? list.filter((item) => isHookItem(client, item)) : [];
    return ours.map((item: unknown) => ({ event, item }));
  });
}

function holdsExactly(text: string, client: string, items: HookEntries['items']): boolean {
  const written = hooksIn(text, client);
  return (
    written.length === items.length &&
    items.every(({ path, item }) =>
      written.some(
        (each) => each.event === path.at(-1) && JSON.stringify(each.item) === JSON.stringify(item),
      ),
    )
  );
}

function eventsIn(text: string): string[] {
  const hooks = memberAt(text, ['hooks']);
  return typeof hooks === 'object' && hooks !== null ? Object.keys(hooks) : [];
}
