/** How to write the members of all objects whose keys come in one order. */
export interface MemberPlan {
  /** In canonical order. */
  readonly keys: readonly string[];
  /** Each key quoted, with its colon. */
  readonly names: readonly string[];
}

interface RememberedPlan extends MemberPlan {
  readonly asGiven: readonly string[];
}

const SLOTS = 512;
const LONGEST_LIST = 48;
const LONGEST_KEY = 64;

/**
 * Sorting and quoting keys is most of the work of a canonical form, and objects of one kind come with the same keys in
 * the same order: the last plan for such a list is kept. The table has a fixed size; a collision only costs the sort.
 */
export function memberPlan(dialect: {
  readonly keyOrder: 'code-points' | 'units';
  quote(text: string): string | undefined;
}): (keys: string[]) => MemberPlan | undefined {
  const slots: (RememberedPlan | undefined)[] = new Array(SLOTS).fill(undefined);
  const { quote } = dialect;
  const byCodePoints = dialect.keyOrder === 'code-points';

  function makePlan(asGiven: readonly string[]): RememberedPlan | undefined {
    const keys = [...asGiven];
    if (byCodePoints && keys.some(hasHighUnit)) keys.sort(compareCodePoints);
    else sortByUnits(keys);
    const names: string[] = [];
    for (const key of keys) {
      const name = quote(key);
      if (name === undefined) return undefined;
      names.push(`${name}:`);
    }
    return { asGiven, keys, names };
  }

  return (keys) => {
    const length = keys.length;
    if (length === 0 || length > LONGEST_LIST) return makePlan(keys);
    const slot = slotOf(keys);
    const known = slots[slot];
    if (known !== undefined && sameKeys(known.asGiven, keys)) return known;
    const plan = makePlan(keys);
    if (plan !== undefined && keys.every((key) => key.length <= LONGEST_KEY)) slots[slot] = plan;
    return plan;
  };
}

function slotOf(keys: readonly string[]): number {
  const first = keys[0] as string;
  const last = keys[keys.length - 1] as string;
  const mixed =
    keys.length * 31 +
    first.length * 7 +
    last.length * 131 +
    first.charCodeAt(0) * 17 +
    last.charCodeAt(0) * 257;
  // An empty key has no first character.
  return mixed > 0 ? mixed % SLOTS : 0;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false;
  }
  return true;
}

function hasHighUnit(key: string): boolean {
  for (let at = 0; at < key.length; at += 1) {
    if (key.charCodeAt(at) >= 0xd800) return true;
  }
  return false;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const SHORT_LIST = 24;

/** `<` compares UTF-16 units, which is Unicode order except that surrogates stand below U+E000 to U+FFFF. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    if (left >= FIRST_SURROGATE && right >= FIRST_SURROGATE) {
      const leftAstral = left <= LAST_SURROGATE;
      if (leftAstral !== right <= LAST_SURROGATE) return leftAstral ? 1 : -1;
    }
    return left - right;
  }
  return a.length - b.length;
}

/** In place, by UTF-16 units. Most objects are small or sorted already, where insertion beats the general sort. */
function sortByUnits(keys: string[]): void {
  if (keys.length > SHORT_LIST) {
    keys.sort();
    return;
  }
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next - 1;
    while (at >= 0 && (keys[at] as string) > key) {
      keys[at + 1] = keys[at] as string;
      at -= 1;
    }
    keys[at + 1] = key;
  }
}
