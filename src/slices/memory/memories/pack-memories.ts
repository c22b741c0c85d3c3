import { asString } from '../../../kernel/json/loose.ts';
import { byline } from '../../../kernel/quoted.ts';
import {
  type Packed,
  type PackedPassage,
  type PackRequest,
  packPassages,
} from '../../../spine/search/rules/pack.ts';
import { objectMember } from '../documents.ts';
import type { FoundMemory } from './read.ts';
import { contentOf } from './rules.ts';

type MemoryPassage = PackedPassage & { readonly found: FoundMemory };

/** What was found as text for a prompt; `used` are those that are in it. */
export function packMemories(found: readonly FoundMemory[], request: PackRequest): Packed<MemoryPassage> {
  return packPassages(found.map(passageOf), request);
}

function passageOf(found: FoundMemory): MemoryPassage {
  const { memory, document } = found;
  const agent = asString(objectMember(document, 'source').agentDid);
  const by = agent === undefined ? '' : `, proposed by ${byline({ type: 'agent', id: agent })}`;
  return {
    source: `memory of the person${by}`,
    text: contentOf(document),
    time: memory.item.learned ?? undefined,
    found,
  };
}
