/** JSON with comments and trailing commas, seen as strict JSON with every character in its place. */
export interface MaskedJson {
  /** Comments are blanks; trailing commas still stand. */
  readonly withoutComments: string;
  /** Strict JSON. */
  readonly strict: string;
}

/** A string, a line comment, a block comment, or a comma. An open end swallows the rest. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;

export function maskJson(text: string): MaskedJson {
  const withoutComments = text
    .replace(/^\uFEFF/, ' ')
    .replace(TOKENS, (token) => (token.startsWith('"') ? token : blank(token)));
  // A comma inside a string must not be seen, so strings are taken as a whole again.
  const strict = withoutComments.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g, (token) =>
    token === ',' ? ' ' : token,
  );
  return { withoutComments, strict };
}

function blank(comment: string): string {
  return comment.replace(/[^\n\r]/g, ' ');
}
