import type { Operations, Result } from '@baton-ledger/client';
import { nextCursor } from './next-cursor.ts';
import { sendForAnswer } from './send-text.ts';

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; undefined on the last. */
  readonly cursor: string | undefined;
}

type ListNames = {
  [Name in keyof Operations]: Result<Operations[Name]> extends readonly unknown[] ? Name : never;
}[keyof Operations];

/** A page of a list that says in its `Link` header where it goes on. */
export async function readPage<Name extends ListNames>(
  name: Name,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<PageOf<Result<Operations[Name]>[number]>> {
  const { text, headers } = await sendForAnswer(name, input, signal);
  return { items: JSON.parse(text), cursor: nextCursor(headers.get('link')) };
}
