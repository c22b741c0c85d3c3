import { Ajv, type Format, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { linearPattern } from '../../../platform/linear-pattern.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** `linear` refuses a pattern that cannot be read in one pass; `any` is for Atlases loaded before that was asked. */
export type PatternEngine = 'linear' | 'any';

// What it would print, lint says.
const OPTIONS = { strict: false, allErrors: true, validateFormats: true, logger: false } as const;
const addFormats = ajvFormats.default;
// To compile a meta-schema takes longer than all else here, so schemas are checked against one that is compiled once.
const draft7 = new Ajv(OPTIONS);
const draft2020 = new Ajv2020(OPTIONS);

/** Throws what is wrong with the schema. References to other documents are not fetched. */
export function compileSchema(schema: Schema, engine: PatternEngine): ValidateFunction {
  const old = typeof schema.$schema === 'string' && /draft-0[4-7]/.test(schema.$schema);
  const { $schema: _, ...rest } = schema;
  (old ? draft7 : draft2020).validateSchema(rest, true);
  // Each schema has its own compiler, since two actions may use the same $id.
  const options = {
    ...OPTIONS,
    validateSchema: false,
    ...(engine === 'linear' && { code: { regExp: linearRegExp } }),
  };
  const ajv = old ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv as Ajv);
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format && !LINEAR_FORMATS.has(name)) ajv.addFormat(name, bounded(format as Format));
  }
  return ajv.compile(rest);
}

const linearRegExp = Object.assign(
  (source: string) => {
    const made = linearPattern(source);
    if (!made.ok) throw new Error(made.problem);
    // Ajv tells patterns apart by their text.
    return { test: made.pattern.test, toString: () => `/${source}/u` };
  },
  { code: 'linearRegExp' },
);

/** The others are patterns of the library's that go back and try again, or are not worth looking at one by one. */
const LINEAR_FORMATS: ReadonlySet<string> = new Set(['byte', 'binary', 'password']);

/** Longer than anything that has one of these formats, and short enough for a pattern that tries each split of it. */
const LONGEST_FORMATTED = 2_048;

function bounded(format: Format): Format {
  if (format === true || typeof format === 'string') return format;
  if (format instanceof RegExp) return (text: string) => isShort(text) && format.test(text);
  if (typeof format === 'function')
    return (text: string) => isShort(text) && (format as (text: string) => boolean)(text);
  const { validate } = format;
  if (typeof validate === 'function') {
    const check = validate as (value: unknown) => boolean;
    return { ...format, validate: (value: unknown) => isShort(value) && check(value) } as Format;
  }
  if (validate instanceof RegExp)
    return { ...format, validate: (text: string) => isShort(text) && validate.test(text) } as Format;
  return format;
}

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= LONGEST_FORMATTED;
}
