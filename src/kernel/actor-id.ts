import { visible } from './visible-text.ts';

const MAX_LENGTH = 255;
const SYNTAX = /^[\p{L}\p{N}_@][\p{L}\p{M}\p{N}._:/@+#~=%|&,-]*$/u;

/**
 * Whether a new actor may have this id. Ids are said in sentences, typed on command lines and matched by patterns: so
 * there are no spaces, quotes, brackets or wildcards, nothing hidden, and one spelling of each letter. E-mail addresses,
 * DIDs, URIs, paths and distinguished names all fit.
 */
export function isActorId(text: string): boolean {
  return (
    text.length <= MAX_LENGTH && SYNTAX.test(text) && text.normalize('NFC') === text && visible(text) === text
  );
}

/** For whoever is refused. */
export const ACTOR_ID_RULE =
  'must be 1 to 255 letters, digits and . _ : / @ + # ~ = % | & , - in NFC, beginning with a letter, a digit, _ or @';
