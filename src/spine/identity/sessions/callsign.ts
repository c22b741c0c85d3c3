import type { Random } from '../../../kernel/clock.ts';
import { adjectives, nouns } from './words.ts';

const CANDIDATES = 16;

/**
 * A name such as `coral-heron` that none of the given ones bears. `taken` is asked once with plain pairs and, should
 * all of them be in use, once more with numbered ones. A callsign is a memory aid, not a key: in the unlikely end a
 * name may be shared.
 */
export async function chooseCallsign(
  random: Random,
  taken: (candidates: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  const pairs = candidatesFrom(random.bytes(2 * CANDIDATES));
  const free = await firstFree(pairs, taken);
  if (free !== undefined) return free;
  const digits = random.bytes(2 * CANDIDATES);
  const numbered = pairs.map((pair, i) => `${pair}-${2 + digits[2 * i]! * 32 + (digits[2 * i + 1]! % 32)}`);
  return (await firstFree(numbered, taken)) ?? numbered[0]!;
}

function candidatesFrom(bytes: Uint8Array): string[] {
  const pairs: string[] = [];
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    pairs.push(`${adjectives[bytes[i]! % adjectives.length]}-${nouns[bytes[i + 1]! % nouns.length]}`);
  }
  return pairs;
}

async function firstFree(
  candidates: readonly string[],
  taken: (candidates: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string | undefined> {
  const inUse = await taken(candidates);
  return candidates.find((candidate) => !inUse.has(candidate));
}
