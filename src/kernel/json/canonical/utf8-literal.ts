import { pythonLexeme, pythonNumber } from './appendix-b.ts';
import { quoteMinimally } from './ecmascript.ts';
import { createCanonicalWriter } from './writer.ts';

/**
 * Appendix B with `ensure_ascii=False`: what some TRACE writers hash instead, because the protocol also says UTF-8. Only
 * for verifying what they wrote.
 */
export const canonicalUtf8Literal = createCanonicalWriter({
  keyOrder: 'code-points',
  dropsNulls: false,
  quote: quoteMinimally,
  number: pythonNumber,
  lexeme: pythonLexeme,
});
