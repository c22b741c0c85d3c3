import { useParams } from './search-params.ts';

export interface ListPlace {
  /** Where the page begins, in the server's words; undefined on the first. */
  readonly cursor: string | undefined;
  /** How many come before it. */
  readonly at: number;
  first(): void;
  next(cursor: string, shown: number): void;
}

/** The page of a list stands in the address: Back leads to the page before, and a link to one works. */
export function useListPlace(list = ''): ListPlace {
  const [params, change] = useParams();
  const { cursor: cursorName, at: atName } = placeNames(list);
  const at = Number(params[atName]);
  return {
    cursor: params[cursorName],
    at: Number.isSafeInteger(at) && at > 0 ? at : 0,
    first: () => change(firstPage(list)),
    next: (cursor, shown) => change({ [cursorName]: cursor, [atName]: String((at || 0) + shown) }),
  };
}

/** Another search or another list begins with its first page. */
export function firstPage(list = ''): Readonly<Record<string, undefined>> {
  const { cursor, at } = placeNames(list);
  return { [cursor]: undefined, [at]: undefined };
}

function placeNames(list: string) {
  return list === '' ? { cursor: 'cursor', at: 'at' } : { cursor: `${list}_cursor`, at: `${list}_at` };
}
