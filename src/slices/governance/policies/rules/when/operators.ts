/** The words of `when`. */
import type { Micros } from '../../../../../kernel/clock.ts';
import { globMatcher } from '../../../../../kernel/glob.ts';
import { isRecord } from '../../../../../kernel/json/loose.ts';
import { linearPattern } from '../../../../../platform/linear-pattern.ts';
import { compareDecimals, decimalOf } from '../decimal.ts';
import { COMMAND_OPERATORS } from './command-operators.ts';
import { FACT_OPERATORS } from './fact-operators.ts';
import { instantOf, parseMoment } from './moment.ts';
import { NAME_OPERATORS } from './name-operators.ts';
import type { Operator } from './operator.ts';
import { every, not, type Outcome, some } from './outcome.ts';
import { pathSteps, valueAt } from './parameter-path.ts';
import { onText, readTexts, someText } from './texts-operand.ts';
import { equals, TYPE_NAMES, typeName } from './values.ts';

function ordered(accepts: (order: number) => boolean, symbol: string): Operator {
  return {
    judges: ['number', 'integer'],
    operand: 'number',
    summary: `the number is ${symbol} this one`,
    example: 100,
    make: (operand) => {
      const right = typeof operand === 'string' ? undefined : decimalOf(operand);
      if (right === undefined) return 'needs a number';
      return (value) => {
        if (value === undefined) return false;
        const left = typeof value === 'string' ? undefined : decimalOf(value);
        return left === undefined ? 'unclear' : accepts(compareDecimals(left, right));
      };
    },
  };
}

/** Compares with another parameter of the same call. */
function withField(summary: string, accepts: (value: unknown, other: unknown) => Outcome): Operator {
  return {
    operand: 'path',
    summary,
    example: 'order.total',
    make: (operand) => {
      if (typeof operand !== 'string' || operand === '') return 'needs the path of another parameter';
      const steps = pathSteps(operand);
      return (value, { parameters }) => {
        const other = valueAt(parameters, steps);
        if (value === undefined) return false;
        return other === undefined ? 'unclear' : accepts(value, other);
      };
    },
  };
}

function numbers(accepts: (order: number) => boolean) {
  return (value: unknown, other: unknown): Outcome => {
    const [left, right] = [value, other].map((each) =>
      typeof each === 'string' ? undefined : decimalOf(each),
    );
    return left && right ? accepts(compareDecimals(left, right)) : 'unclear';
  };
}

function membership(negated: boolean): Operator {
  return {
    operand: 'list',
    summary: `${negated ? 'is none of these, or missing' : 'is one of these'}; texts in any case with {"of": …, "ignore_case": true}`,
    example: ['EUR', 'USD'],
    make: (operand) => {
      const texts = isRecord(operand) ? readTexts(operand) : undefined;
      if (!Array.isArray(operand) && !texts) return 'needs an array, or {"of": […], "ignore_case": true}';
      const fold = (value: unknown) =>
        texts?.ignoreCase && typeof value === 'string' ? value.toLowerCase() : value;
      const items = (texts?.of ?? (operand as readonly unknown[])).map(fold);
      return (value) => {
        const found = some(items, (item) => equals(fold(value), item));
        return negated ? not(found) : found;
      };
    },
  };
}

function dates(summary: string, example: string, accepts: (at: Micros, moment: Micros) => boolean): Operator {
  return {
    judges: ['string'],
    operand: 'moment',
    summary,
    example,
    make: (operand) => {
      const moment = typeof operand === 'string' ? parseMoment(operand) : undefined;
      if (!moment) return 'needs an instant, a date, or now, now-7d, now+2h';
      return (value, { now }) => {
        if (value === undefined) return false;
        const at = typeof value === 'string' ? instantOf(value) : undefined;
        return at === undefined ? 'unclear' : accepts(at, moment(now));
      };
    },
  };
}

export const OPERATORS: Readonly<Record<string, Operator>> = {
  eq: {
    operand: 'any',
    summary: 'equals this value; a test that is no object means the same',
    example: 'EUR',
    make: (operand) => (value) => equals(value, operand),
  },
  ne: {
    operand: 'any',
    summary: 'is another value, or missing',
    example: 'EUR',
    make: (operand) => (value) => not(equals(value, operand)),
  },
  gt: ordered((order) => order > 0, 'greater than'),
  gte: ordered((order) => order >= 0, 'at least'),
  lt: ordered((order) => order < 0, 'less than'),
  lte: ordered((order) => order <= 0, 'at most'),
  in: membership(false),
  not_in: membership(true),
  matches: {
    judges: ['string'],
    operand: 'texts',
    summary: 'the text fits one of these globs: `*` is any run of characters, `?` one',
    example: '*@example.com',
    make: (operand) =>
      operand === ''
        ? (value) => onText(value, (text) => text === '')
        : someText<string>(
            operand,
            (glob, ignoreCase) => {
              const fits = globMatcher(ignoreCase ? glob.toLowerCase() : glob);
              return (text) => fits(ignoreCase ? text.toLowerCase() : text);
            },
            onText,
          ),
  },
  regex: {
    judges: ['string'],
    operand: 'text',
    summary:
      'the text contains a match of this regular expression (no look-around, no back-references, no flags: `[Ss]elect`)',
    example: '^[A-Z]{2}-\\d+$',
    make: (operand) => {
      if (typeof operand !== 'string') return 'needs a regular expression';
      const made = linearPattern(operand);
      return made.ok ? (value) => onText(value, made.pattern.test) : made.problem;
    },
  },
  contains: {
    judges: ['string', 'array'],
    operand: 'any',
    summary: 'the text contains this text, or the array this value',
    example: 'urgent',
    make: (operand) => (value) => {
      if (value === undefined) return false;
      if (Array.isArray(value)) return some(value, (item) => equals(item, operand));
      return typeof operand === 'string' ? onText(value, (text) => text.includes(operand)) : 'unclear';
    },
  },
  exists: {
    operand: 'boolean',
    summary: 'is given, or with `false` is not; `null` may be either',
    example: true,
    make: (operand) =>
      typeof operand === 'boolean'
        ? (value) => (value === null ? 'unclear' : (value !== undefined) === operand)
        : 'needs true or false',
  },
  type: {
    operand: 'type',
    summary: `is of this type: ${TYPE_NAMES.join(', ')}`,
    example: 'string',
    make: (operand) => {
      if (!(TYPE_NAMES as readonly unknown[]).includes(operand))
        return `needs one of ${TYPE_NAMES.join(', ')}`;
      return (value) =>
        typeName(value) === operand || (operand === 'number' && typeName(value) === 'integer');
    },
  },
  eq_field: withField('equals another parameter', (value, other) => equals(value, other)),
  ne_field: withField('differs from another parameter', (value, other) => not(equals(value, other))),
  gt_field: withField(
    'is greater than another parameter',
    numbers((order) => order > 0),
  ),
  gte_field: withField(
    'is at least another parameter',
    numbers((order) => order >= 0),
  ),
  lt_field: withField(
    'is less than another parameter',
    numbers((order) => order < 0),
  ),
  lte_field: withField(
    'is at most another parameter',
    numbers((order) => order <= 0),
  ),
  in_field: withField('is an element of another parameter', (value, other) =>
    Array.isArray(other) ? some(other, (item) => equals(value, item)) : 'unclear',
  ),
  ...NAME_OPERATORS,
  ...COMMAND_OPERATORS,
  ...FACT_OPERATORS,
  before: dates('the instant or date is earlier than this', 'now+30d', (at, moment) => at < moment),
  after: dates('the instant or date is later than this', '2026-01-01', (at, moment) => at > moment),
  between: {
    judges: ['string'],
    operand: 'period',
    summary: 'the instant or date is not before the first and before the second of these',
    example: ['2026-01-01', '2027-01-01'],
    make: (operand) => {
      const [from, to] = Array.isArray(operand) && operand.length === 2 ? operand : [];
      const moments = [from, to].map((each) => (typeof each === 'string' ? parseMoment(each) : undefined));
      const [start, end] = moments;
      if (!start || !end) return 'needs two instants or dates';
      return (value, { now }) => {
        if (value === undefined) return false;
        const at = typeof value === 'string' ? instantOf(value) : undefined;
        return at === undefined ? 'unclear' : at >= start(now) && at < end(now);
      };
    },
  },
};

/** Words that hold further tests; `when.ts` compiles those. */
export const NESTING = {
  any: 'at least one element fits: paths within the element, or `.` for the element itself',
  all: 'every element fits',
  not: 'the tests in it do not all hold; a missing value satisfies no grant',
} as const;

export const OPERATOR_NAMES: readonly string[] = [...Object.keys(OPERATORS), ...Object.keys(NESTING)];

/** Over an array; what is no array cannot be judged. */
export function overElements(word: 'any' | 'all', check: (element: unknown) => Outcome) {
  return (value: unknown): Outcome => {
    if (value === undefined) return word === 'any' ? false : 'unclear';
    if (!Array.isArray(value)) return 'unclear';
    return word === 'any' ? some(value, check) : every(value, check);
  };
}
