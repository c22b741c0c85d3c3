import fc from 'fast-check';

/** Integers of any size, floats in every notation, and what lies at the edges of a double. */
export const numberLexeme: fc.Arbitrary<string> = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n.toExponential()),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((n) => n.toFixed(6)),
  fc
    .tuple(fc.integer({ min: -99999, max: 99999 }), fc.integer({ min: -320, max: 280 }), fc.boolean())
    .map(([digits, exponent, upper]) => `${digits}${upper ? 'E' : 'e'}${exponent}`),
  fc.constantFrom('0', '-0', '0.0', '-0.0', '1.0', '1E2', '1e16', '1e15', '1e-4', '1e-5', '0.0001', '5e-324'),
  fc.constantFrom(
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '1e21',
    '123456789012345680000',
  ),
);

const codePoint = fc
  .oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Well-formed text with much of what needs care: quotes, controls, DEL, line separators, astral characters. */
export const awkwardString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: codePoint, maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '\u2028', '\uffff', '😀'),
  }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '10', '9', ''),
);

const space = fc.constantFrom('', '', '', ' ', '\t', ' \r');

/** A JSON string literal, in minimal form or with everything escaped. */
function literal(text: string, escaped: boolean): string {
  const quoted = JSON.stringify(text);
  return escaped
    ? quoted.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : quoted;
}

const stringText = fc.tuple(awkwardString, fc.boolean()).map(([text, escaped]) => literal(text, escaped));

/** JSON texts without line feeds, duplicate keys or lone surrogates, in many spellings. */
export const { jsonText, objectText } = fc.letrec<{
  jsonText: string;
  objectText: string;
  arrayText: string;
}>((tie) => ({
  jsonText: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numberLexeme,
    stringText,
    tie('arrayText'),
    tie('objectText'),
  ),
  arrayText: fc
    .array(fc.tuple(space, tie('jsonText'), space), { maxLength: 5 })
    .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
  objectText: fc
    .uniqueArray(fc.tuple(awkwardString, fc.boolean(), space, tie('jsonText'), space), {
      maxLength: 6,
      selector: ([key]) => key,
    })
    .map((members) => {
      const texts = members.map(([key, escaped, before, value, after]) => {
        return `${before}${literal(key, escaped)}${after}:${before}${value}${after}`;
      });
      return `{${texts.join(',')}}`;
    }),
}));
