/** Which characters of a text a reader would not see as they are, and how they are shown instead. */

/**
 * Controls, lone surrogates, private characters, line separators other than `\n`, and whatever has no form of its own:
 * zero-width and directional marks, tags, fillers, variation selectors. Also every mark after the eighth on one letter,
 * which only serves to paint over other lines.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|\p{M}(?<=\p{M}{9})/gu;

/** Format characters that are printed: number signs and the like of Arabic, Syriac and Kaithi. */
const PRINTED = new Set(
  '\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}',
);

const JOINS = new Set('\u200c\u200d\ufe0e\ufe0f');

/** What an emoji consists of (`❤️`, `1️⃣`, `👩‍🚀`), and the joiners with which these scripts are spelled. */
const SPELLING = new RegExp(
  [
    String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
    ...['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'].map(
      (script) => String.raw`(?<=\p{scx=${script}})[\u200c\u200d](?=\p{scx=${script}})`,
    ),
  ].join('|'),
  'uy',
);

/** How tags end, comments and instructions begin, and models mark turns: `</`, `<!`, `<?`, `<|`. */
const MARKER = /<(?=[/!?|])/g;

/** Most texts are of these alone, and nothing has to be looked up for them. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/** Shows what is hidden in a text as `\u202e`. Lines and everything that can be read stay as they are. */
export function visible(text: string): string {
  return shown(text, (sign) => sign === '\n');
}

/**
 * The same JSON value without a hidden character in its text. What is not plain stands only inside strings, where the
 * escape means the character.
 */
export function visibleJson(text: string): string {
  return shown(text, (sign) => sign === '\n' || sign === '\r' || sign === '\t');
}

function shown(text: string, kept: (sign: string) => boolean): string {
  const seen = PLAIN.test(text)
    ? text
    : text.replace(HIDDEN, (sign, at: number) =>
        kept(sign) || PRINTED.has(sign) || (JOINS.has(sign) && isSpelling(text, at)) ? sign : escaped(sign),
      );
  return seen.replace(MARKER, '\\u003c');
}

function isSpelling(text: string, at: number): boolean {
  SPELLING.lastIndex = at;
  return SPELLING.test(text);
}

function escaped(sign: string): string {
  let units = '';
  for (let at = 0; at < sign.length; at += 1) {
    units += `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return units;
}
