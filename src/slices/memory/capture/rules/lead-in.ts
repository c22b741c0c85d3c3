/** What people put before what they have to say. Pure. */

const POLITE =
  'and|also|oh|ok|okay|hey|hi|hello|well|so|thanks|thank you|great|cool|good|nice|perfect|works now|yes|yeah|yep|sure|please|sorry|honestly|personally|actually|correction|important|again|once again|anyway|hm+';
const POINTING =
  'btw|by the way|fyi|just so you know|so you know|just to be clear|to be clear|for the record|for (?:your )?(?:future )?reference|(?:as )?a (?:quick )?reminder|as i (?:said|mentioned|told you)(?: before| earlier| already)?|one (?:more |other )?thing(?: to know| you should know)?|note to self(?: and to you)?|you keep forgetting|house rule|update';
const LEAD_IN = new RegExp(`^(?:${POLITE}|${POINTING})(?:\\s*[,:;!.–—-]+\\s*|\\s+)(?=\\S)`, 'i');

/** Somebody who says so wants it kept, whatever follows. */
const ASKED =
  /^(?:(?:please |and |also )*(?:remember|keep in mind|bear in mind|don't forget|do not forget|note|know|make a note)(?: that|:|,)|i should (?:mention|say|add)(?: that)?|you (?:should|must|ought to) know(?: that)?|you (?:may|can|should) assume(?: that)?|(?:it's|it is) (?:worth knowing|good to know) that)\s+/i;

export interface LedIn {
  /** Where what is said begins. */
  readonly start: number;
  /** They asked for it to be remembered, or that it be noted. */
  readonly asked: boolean;
}

export function afterLeadIn(sentence: string): LedIn {
  let start = 0;
  let asked = false;
  for (let turns = 0; turns < 6; turns += 1) {
    const rest = sentence.slice(start);
    const wish = ASKED.exec(rest);
    const match = wish ?? LEAD_IN.exec(rest);
    if (!match) break;
    asked ||= wish !== null;
    start += match[0].length;
  }
  return { start, asked };
}
