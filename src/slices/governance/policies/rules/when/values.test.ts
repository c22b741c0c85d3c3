import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../../../kernel/json/reader.ts';
import { equals } from './values.ts';

type Tree = string | number | boolean | Tree[] | { readonly [name: string]: Tree };

const leaf = fc.oneof(
  fc.constantFrom('EUR', 'prod', 'a b', 'x'),
  fc.integer({ min: -5, max: 500 }),
  fc.boolean(),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree'), { minKeys: 1 }),
  ),
}));

/** JSON text in which one leaf is written by `change`; the others as they are. */
function written(value: Tree, at: { left: number }, change: (leaf: Tree) => string): string {
  if (Array.isArray(value)) return `[${value.map((each) => written(each, at, change)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, each]) => `${JSON.stringify(name)}:${written(each, at, change)}`,
    );
    return `{${members.join(',')}}`;
  }
  at.left -= 1;
  return at.left === -1 ? change(value) : JSON.stringify(value);
}

function leaves(value: Tree): number {
  if (typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0);
}

const LOOK_ALIKES: readonly ((leaf: Tree) => string)[] = [
  (leaf) => (typeof leaf === 'string' ? JSON.stringify(`${leaf}\u200b`) : JSON.stringify(String(leaf))),
  (leaf) => (typeof leaf === 'string' ? JSON.stringify(` ${leaf} `) : `[${JSON.stringify(leaf)}]`),
  (leaf) => `[${JSON.stringify(leaf)}]`,
  (leaf) => (typeof leaf === 'number' ? '1e400' : `{"x":${JSON.stringify(leaf)}}`),
];
const SAME: readonly ((leaf: Tree) => string)[] = [
  (leaf) => (typeof leaf === 'number' ? `${leaf}.0` : JSON.stringify(leaf)),
  (leaf) => (typeof leaf === 'number' ? `${leaf}.00E+0` : JSON.stringify(leaf)),
];
const OTHER = (leaf: Tree) =>
  typeof leaf === 'number'
    ? String(leaf + 0.5)
    : JSON.stringify(typeof leaf === 'boolean' ? !leaf : `${leaf}!`);

describe('a value that a rule compares', () => {
  const place = fc.nat();
  const read = (value: Tree, nth: number, change: (leaf: Tree) => string) =>
    readJson(written(value, { left: nth % leaves(value) }, change));

  it('is not another one for looking like it, at any depth', () => {
    fc.assert(
      fc.property(tree, place, fc.constantFrom(...LOOK_ALIKES), (value, nth, change) => {
        expect(equals(read(value, nth, change), value)).toBe('unclear');
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same however its numbers are written', () => {
    fc.assert(
      fc.property(tree, place, fc.constantFrom(...SAME), (value, nth, change) => {
        expect(equals(read(value, nth, change), value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is another one where one of its parts is', () => {
    fc.assert(
      fc.property(tree, place, (value, nth) => {
        expect(equals(read(value, nth, OTHER), value)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{"a":1,"b":2}', { a: 1 }, false],
    ['{"a\u200b":1}', { a: 1 }, 'unclear'],
    ['{"b":1}', { a: 1 }, false],
    ['[1,2]', [1], false],
    ['{"n":9007199254740993}', { n: 9007199254740992 }, false],
    ['{"a":null}', { a: null }, true],
    ['{"__proto__":1}', { a: 1 }, false],
  ])('%s is, where %j is wanted: %s', (text, wanted, outcome) => {
    expect(equals(readJson(text), wanted)).toBe(outcome);
  });
});
