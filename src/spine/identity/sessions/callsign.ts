import type { Random } from '../../../kernel/clock.ts';

const CANDIDATES = 16;

/**
 * A free name such as `coral-heron`. `taken` is called once with plain pairs and, should
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

/** Sixty-four each, so that six random bits pick one without bias. Short, friendly, and hard to mishear. */
export const adjectives: readonly string[] = `
  agile amber azure balmy bold brave brisk calm candid cheery clever coral cosmic crisp dapper deft
  eager earnest fabled fleet frank gentle gilded glad golden hardy honest humble ivory jade jolly keen
  limber lively loyal lucid lunar mellow merry misty nimble noble opal patient placid plucky quiet rosy
  rustic serene silver snug solar spry steady sunny swift tidy tranquil velvet vivid warm witty zesty
`
  .trim()
  .split(/\s+/);

export const nouns: readonly string[] = `
  acorn badger beaver bison canyon cedar cricket curlew dolphin eagle egret falcon fern finch fjord gecko
  glacier harbor heron ibex island jaguar kestrel koala lagoon lantern lemur lynx magpie maple marlin meadow
  moose newt ocelot orchid osprey otter panda pebble pelican penguin plover puffin quail rabbit raven river
  robin salmon sparrow squirrel summit swan thistle toucan turtle walnut walrus willow wombat wren yak zebra
`
  .trim()
  .split(/\s+/);
