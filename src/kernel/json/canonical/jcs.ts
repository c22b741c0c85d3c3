import { ecmascriptLexeme, ecmascriptNumber, quoteMinimally } from './ecmascript.ts';
import { createCanonicalWriter } from './writer.ts';

/** RFC 8785. Throws `lossy_number` or `lone_surrogate` with the pointer. */
export const canonicalJcs = createCanonicalWriter({
  keyOrder: 'units',
  dropsNulls: false,
  quote: quoteMinimally,
  number: ecmascriptNumber,
  lexeme: ecmascriptLexeme,
});
