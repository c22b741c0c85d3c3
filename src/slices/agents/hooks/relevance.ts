/** Whether a text bears on what somebody asked: what is only vaguely alike would cost attention for nothing. Pure. */

const COMMON = new Set(
  `about after again also always and any are because been before being but can change check code could create does done
  each edit error file files find fix for from function get give good has have help here how implement into issue its
  just know like line look make many maybe more most need new not now only other our please problem project read really
  remove rename run same see session should show some still such sure tell test tests than that the their them then there
  these they thing this those through try understand update use used using very want was way were what when where which
  while who why will with work would write wrong you your`
    .trim()
    .split(/\s+/),
);

/** Two words in common, or one that is as good as a name. */
export function bearsOn(asked: string, text: string): boolean {
  const words = wordsOf(text);
  let shared = 0;
  for (const word of wordsOf(asked)) {
    if (!words.has(word)) continue;
    if (isName(word)) return true;
    shared += 1;
    if (shared >= 2) return true;
  }
  return false;
}

function wordsOf(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_./-]{2,60}/gu) ?? [];
  return new Set(
    found
      .map((word) => word.replace(/[./-]+$/, '').replace(/(?<=\p{L}{4})s$/u, ''))
      .filter((word) => !COMMON.has(word)),
  );
}

/** An identifier, a path, a number with letters, or a long word. */
function isName(word: string): boolean {
  return /[_/]|\w[.-]\w|\d/.test(word) ? word.length >= 4 : word.length >= 11;
}
