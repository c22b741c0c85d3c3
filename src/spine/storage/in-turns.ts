import type { Reader } from './database.ts';

const ITEMS_BETWEEN_TURNS = 50;

/** `items.map(made)` of a list without a bound: whoever waits has a turn between its items. */
export async function inTurns<In, Out>(
  reader: Pick<Reader, 'giveTurn'>,
  items: readonly In[],
  made: (item: In) => Out,
): Promise<Out[]> {
  const all: Out[] = [];
  for (const item of items) {
    all.push(made(item));
    if (all.length % ITEMS_BETWEEN_TURNS === 0) await reader.giveTurn();
  }
  return all;
}
