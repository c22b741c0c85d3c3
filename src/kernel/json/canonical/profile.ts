import type { Json } from '../value.ts';
import { canonicalAgentic } from './agentic.ts';
import { canonicalAppendixB } from './appendix-b.ts';
import { canonicalJcs } from './jcs.ts';

export type CanonicalProfile = 'agentic' | 'appendix-b' | 'jcs';

const writers: Readonly<Record<CanonicalProfile, (value: Json) => string>> = {
  agentic: canonicalAgentic,
  'appendix-b': canonicalAppendixB,
  jcs: canonicalJcs,
};

export function canonicalText(profile: CanonicalProfile, value: Json): string {
  return writers[profile](value);
}
