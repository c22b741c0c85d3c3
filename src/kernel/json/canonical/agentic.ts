import { ecmascriptLexeme, ecmascriptNumber, quoteMinimally } from './ecmascript.ts';
import { createCanonicalWriter } from './writer.ts';

/**
 * The Agentic Protocol's form, of packages: members in UTF-8 byte order (which is code point order), null members left
 * out at every depth. Throws `lossy_number` or `lone_surrogate` with the pointer.
 */
export const canonicalAgentic = createCanonicalWriter({
  keyOrder: 'code-points',
  dropsNulls: true,
  quote: quoteMinimally,
  number: ecmascriptNumber,
  lexeme: ecmascriptLexeme,
});
