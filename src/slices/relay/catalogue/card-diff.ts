import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { jsonPointer } from '../../../kernel/json/pointer.ts';

export interface CardChange {
  /** A JSON pointer; items that have a name of their own (skills, interfaces, extensions) are named by it. */
  readonly path: string;
  /** Absent where there was, or is, nothing. */
  readonly was?: unknown;
  readonly now?: unknown;
}

export interface CardDiff {
  readonly changes: readonly CardChange[];
  /** False where there are more changes than are listed. */
  readonly complete: boolean;
}

const MOST_CHANGES = 200;

/** What is different between two cards, member by member. */
export function cardDiff(was: LooseRecord, now: LooseRecord): CardDiff {
  const changes: CardChange[] = [];
  compare(was, now, []);
  return { changes: changes.slice(0, MOST_CHANGES), complete: changes.length <= MOST_CHANGES };

  function compare(before: unknown, after: unknown, path: readonly string[]): void {
    if (changes.length > MOST_CHANGES || JSON.stringify(before) === JSON.stringify(after)) return;
    const [left, right] = [membersOf(before), membersOf(after)];
    if (!left || !right) {
      changes.push({
        path: jsonPointer(path),
        ...(before !== undefined && { was: before }),
        ...(after !== undefined && { now: after }),
      });
      return;
    }
    for (const name of new Set([...left.keys(), ...right.keys()]))
      compare(left.get(name), right.get(name), [...path, name]);
  }
}

/** What can be compared one by one: the members of an object, or of a list whose items all have names. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isRecord(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const named = new Map(value.map((item) => [nameOf(item), item]));
  return named.size === value.length && !named.has(undefined)
    ? (named as ReadonlyMap<string, unknown>)
    : undefined;
}

function nameOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { id, uri, url, protocolBinding, protocolVersion, transport } = item;
  if (typeof id === 'string') return id;
  if (typeof uri === 'string') return uri;
  return typeof url === 'string'
    ? [url, protocolBinding ?? transport, protocolVersion].filter(Boolean).join(' ')
    : undefined;
}
