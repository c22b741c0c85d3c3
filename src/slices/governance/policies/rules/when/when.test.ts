import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../../../kernel/instant.ts';
import { readJson } from '../../../../../kernel/json/reader.ts';
import { OPERATORS } from './operators.ts';
import { compileWhen, isWhenProblem, whenHolds } from './when.ts';

const NOW = parseInstant('2026-11-18T12:00:00Z')?.micros ?? 0;

function holds(when: unknown, parameters: unknown, unclear = false): boolean {
  const compiled = compileWhen(when, { strict: true });
  if (isWhenProblem(compiled)) throw new Error(`${compiled.path}: ${compiled.message}`);
  return whenHolds(compiled, { parameters, now: NOW }, unclear);
}

/** How a rule that grants and one that restricts take the same condition. */
const both = (when: unknown, parameters: unknown) => [holds(when, parameters), holds(when, parameters, true)];
const YES = [true, true];
const NO = [false, false];
/** No grant, and no escape. */
const CAUTION = [false, true];

describe('conditions over arrays', () => {
  const files = { files: [{ path: 'src/a.ts' }, { path: '.env' }] };

  it('ask for one element, or for all', () => {
    const inSource = { path: { path_within: 'src' } };
    expect(both({ files: { any: inSource } }, files)).toEqual(YES);
    expect(both({ files: { all: inSource } }, files)).toEqual(NO);
    expect(both({ files: { all: inSource } }, { files: [] })).toEqual(YES);
    expect(both({ tags: { any: { '.': { in: ['x'] } } } }, { tags: ['y', 'x'] })).toEqual(YES);
  });

  it('are not escaped by what is no array, nor granted by it', () => {
    expect(both({ files: { any: { path: 'x' } } }, { files: 'src/a.ts' })).toEqual(CAUTION);
    expect(both({ files: { all: { path: 'x' } } }, {})).toEqual(CAUTION);
    expect(both({ files: { any: { path: 'x' } } }, {})).toEqual(NO);
  });

  it('nest', () => {
    const rows = { rows: [{ cells: [1, 5] }, { cells: [2] }] };
    expect(both({ rows: { any: { cells: { any: { '.': { gt: 4 } } } } } }, rows)).toEqual(YES);
    expect(both({ rows: { all: { cells: { any: { '.': { gt: 4 } } } } } }, rows)).toEqual(NO);
  });
});

describe('negation', () => {
  it('turns a test round, and stays careful where the value is missing or of another kind', () => {
    expect(both({ to: { not: { matches: '*@example.com' } } }, { to: 'a@evil.test' })).toEqual(YES);
    expect(both({ to: { not: { matches: '*@example.com' } } }, { to: 'a@example.com' })).toEqual(NO);
    expect(both({ to: { not: { matches: '*@example.com' } } }, {})).toEqual(CAUTION);
    expect(both({ to: { not: { matches: '*@example.com' } } }, { to: 1 })).toEqual(CAUTION);
    expect(both({ to: { not: { exists: true } } }, {})).toEqual(YES);
  });
});

describe('file paths', () => {
  it.each([
    ['src/a.ts', YES],
    ['src', YES],
    ['./src//b/../a.ts', YES],
    ['src\\a.ts', YES],
    ['src/../../etc/passwd', CAUTION],
    ['srcery/a.ts', NO],
    ['lib/src/a.ts', NO],
    ['/home/me/project/src/a.ts', CAUTION],
    ['/etc/passwd', NO],
    ['~/src/a.ts', CAUTION],
    ['src/\0a', CAUTION],
    ['SRC/a.ts', CAUTION],
    ['src\\..\\..\\b', CAUTION],
    ['$HOME/src/a', CAUTION],
    ['src/%2e%2e/%2e%2e/b', CAUTION],
    ['src/．．/．．/b', CAUTION],
    ['src/.. /.. /b', CAUTION],
    ['src/日本語.md', YES],
  ])('%s lies within src: %s', (path, expected) => {
    expect(both({ path: { path_within: 'src' } }, { path })).toEqual(expected);
  });

  it.each([
    ['/workspace/a', YES],
    ['/workspace/../etc/passwd', NO],
    ['//workspace/a', CAUTION],
    ['/workspace2', NO],
    ['a', NO],
    ['../a', CAUTION],
    // To whoever takes the backslash for a letter, this leaves the folder.
    ['/workspace/a\\b/../../etc/passwd', CAUTION],
    ['/workspace/a\\b', YES],
    ['file:/workspace/a', CAUTION],
  ])('%s lies within /workspace: %s', (path, expected) => {
    expect(both({ path: { path_within: '/workspace' } }, { path })).toEqual(expected);
  });

  it.each([
    ['.env', YES],
    ['config/.ENV', YES],
    ['a/b/.env.local', YES],
    ['C:\\app\\.env', YES],
    ['environment.ts', NO],
  ])('%s is a secret by its name: %s', (path, expected) => {
    expect(both({ path: { path_matches: { of: ['.env*'], ignore_case: true } } }, { path })).toEqual(
      expected,
    );
  });

  it.each([
    ['KEY.PEM', CAUTION],
    ['key.pem.', CAUTION],
    ['key.pem::$DATA', CAUTION],
    ['key.p\u200bem', CAUTION],
    ['KEY~1.PEM', CAUTION],
    ['key.pem', YES],
    ['key.ts', NO],
  ])('%s may be a key, unless a rule says which case counts', (path, expected) => {
    expect(both({ path: { path_matches: '*.pem' } }, { path })).toEqual(expected);
  });

  it('tell cases apart where a rule says so', () => {
    const exact = { path: { path_matches: { of: '*.pem', ignore_case: false } } };
    expect(both(exact, { path: 'KEY.PEM' })).toEqual(NO);
    expect(compileWhen({ path: { path_matches: 'secrets/' } }, { strict: true })).toMatchObject({
      message: 'path_matches secrets/ ends with a slash: secrets/** is what is below it',
    });
  });

  it.each([
    ['src/**/*.ts', 'src/a.ts', YES],
    ['src/**/*.ts', 'src/x/y/a.ts', YES],
    ['src/*.ts', 'src/x/a.ts', NO],
    ['src/**', '/repo/src/x', CAUTION],
    ['/etc/**', '/etc/ssl/key', YES],
    ['/etc/**', '//etc/ssl/key', CAUTION],
    ['/etc/**', '///etc/ssl/key', YES],
    ['/etc/**', '../../etc/ssl/key', CAUTION],
  ])('%s fits %s: %s', (glob, path, expected) => {
    expect(both({ path: { path_matches: glob } }, { path })).toEqual(expected);
  });

  it('however a path is spelt, leaving a folder never counts as being in it', () => {
    const step = fc.constantFrom('..', '.', '', 'src', 'a', 'SRC', 'etc');
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('/', '\\'),
        (steps, by) => {
          let at: string[] = ['work'];
          for (const each of steps) {
            if (each === '..') at = at.slice(0, -1);
            else if (each !== '.' && each !== '') at.push(each);
          }
          const inside = at[0] === 'work' && at[1] === 'src';
          const [granted] = both({ path: { path_within: 'src' } }, { path: steps.join(by) });
          // A path that begins with an empty step is absolute, and grants nothing.
          if (granted) expect(inside).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('git branches', () => {
  it.each([
    ['main', YES],
    ['refs/heads/main', YES],
    ['heads/main', YES],
    ['refs/remotes/fork/main', YES],
    ['+main', YES],
    ['HEAD:main', YES],
    ['+HEAD:refs/heads/main', YES],
    [':main', YES],
    ['release/1.2', YES],
    ['origin/main', CAUTION],
    ['MAIN', CAUTION],
    ['main ', CAUTION],
    ['HEAD', CAUTION],
    ['@{u}', CAUTION],
    ['main~1', CAUTION],
    ['0123abc', CAUTION],
    ['refs/heads/*:refs/heads/*', CAUTION],
    ['refs/for/main', CAUTION],
    ['refs//heads/main', CAUTION],
    ['main:', CAUTION],
    ['--mirror', CAUTION],
    ['', CAUTION],
    [['main'], CAUTION],
    ['main:feature', NO],
    ['feature/main', NO],
    ['ahead', NO],
    ['mainline', NO],
    ['refs/tags/main', NO],
  ])('%s is main or a release: %s', (ref, expected) => {
    expect(both({ ref: { ref_matches: ['main', 'release/*'] } }, { ref })).toEqual(expected);
  });

  it('may be asked for as whole refs, and with their case', () => {
    const tags = { ref: { ref_matches: { of: 'refs/tags/v*', ignore_case: false } } };
    expect(both(tags, { ref: 'tags/v1' })).toEqual(YES);
    expect(both(tags, { ref: 'refs/tags/V1' })).toEqual(NO);
    expect(both(tags, { ref: 'v1' })).toEqual(CAUTION);
    expect(both(tags, { ref: 'heads/v1' })).toEqual(NO);
    expect(compileWhen({ ref: { ref_matches: 'HEAD:main' } }, { strict: true })).toMatchObject({
      message: 'ref_matches HEAD:main is no name of a branch: main, release/*, refs/tags/*',
    });
  });
});

describe('one value in other spellings', () => {
  const number = (lexeme: string) => readJson(`{"a":${lexeme}}`);

  it.each(['1000', '1e3', '1000.0', '1E+3', '100000e-2'])('%s is a thousand', (lexeme) => {
    expect(both({ a: 1000 }, number(lexeme))).toEqual(YES);
    expect(both({ a: { in: [1000] } }, number(lexeme))).toEqual(YES);
    expect(both({ a: { gt: 999, lte: 1000 } }, number(lexeme))).toEqual(YES);
  });

  it.each([`1000.${'0'.repeat(80)}`, '1e400', '"1000"', '[1000]', 'true'])(
    '%s neither grants as a thousand nor escapes as one',
    (lexeme) => {
      expect(both({ a: 1000 }, number(lexeme))).toEqual(CAUTION);
      expect(both({ a: { in: [1000] } }, number(lexeme))).toEqual(CAUTION);
      expect(both({ a: { not_in: [1000] } }, number(lexeme))).toEqual(CAUTION);
      expect(both({ a: { ne: 1000 } }, number(lexeme))).toEqual(CAUTION);
      expect(both({ a: { gte: 1000 } }, number(lexeme))).toEqual(CAUTION);
    },
  );

  it('zero has no sign', () => {
    expect(both({ a: 0 }, number('-0'))).toEqual(YES);
    expect(both({ a: { lt: 0 } }, number('-0.0e5'))).toEqual(NO);
  });

  it.each(['prod ', 'prod\n', 'pr\u200bod', 'ｐｒｏｄ', ['prod'], { prod: true }])(
    '%j may be prod to whoever acts on it',
    (a) => {
      expect(both({ a: 'prod' }, { a })).toEqual(CAUTION);
      expect(both({ a: { matches: 'prod' } }, { a })).toEqual(CAUTION);
      expect(both({ a: { in: { of: 'PROD', ignore_case: true } } }, { a })).toEqual(CAUTION);
      expect(both({ a: { eq_field: 'b' } }, { a, b: 'prod' })).toEqual(CAUTION);
    },
  );

  it('another text is another text', () => {
    expect(both({ a: 'prod' }, { a: 'test ' })).toEqual(NO);
    expect(both({ a: { ne: 'prod' } }, { a: 'prod\u0430' })).toEqual(YES);
  });

  it('null is no value, and may be one', () => {
    expect(both({ a: 'prod' }, { a: null })).toEqual(NO);
    expect(both({ a: { exists: true } }, { a: null })).toEqual(CAUTION);
    expect(both({ a: { exists: false } }, { a: null })).toEqual(CAUTION);
  });

  it('a path that ends at a text or a list on its way cannot be judged', () => {
    for (const order of [[{ total: 500 }], '{"total":500}', 500]) {
      expect(both({ 'order.total': { gt: 100 } }, { order })).toEqual(CAUTION);
      expect(both({ 'order.total': { exists: false } }, { order })).toEqual(CAUTION);
    }
    expect(both({ 'order.total': { gt: 100 } }, { order: null })).toEqual(NO);
    expect(both({ 'order.total': { gt: 100 } }, { order: {} })).toEqual(NO);
  });
});

describe('other parameters, texts and dates', () => {
  it('compare with another parameter of the call', () => {
    const order = (amount: unknown, total: unknown) => ({ amount, order: { total } });
    expect(both({ amount: { lte_field: 'order.total' } }, order(10, 10))).toEqual(YES);
    expect(both({ amount: { gt_field: 'order.total' } }, order(10, 10))).toEqual(NO);
    expect(both({ amount: { gt_field: 'order.total' } }, { amount: 10 })).toEqual(CAUTION);
    expect(both({ amount: { gt_field: 'order.total' } }, order(10, '9'))).toEqual(CAUTION);
    expect(both({ role: { in_field: 'allowed' } }, { role: 'a', allowed: ['a', 'b'] })).toEqual(YES);
  });

  it('search a text in linear time', () => {
    expect(both({ ref: { regex: '^refs/heads/(main|release/.*)$' } }, { ref: 'refs/heads/main' })).toEqual(
      YES,
    );
    expect(both({ ref: { regex: '(a+)+$' } }, { ref: `${'a'.repeat(50_000)}!` })).toEqual(NO);
    expect(compileWhen({ a: { regex: '(?=x)' } }, { strict: true })).toMatchObject({ path: 'a' });
  });

  it('know dates, and days relative to now', () => {
    expect(both({ due: { before: 'now+30d' } }, { due: '2026-12-01' })).toEqual(YES);
    expect(both({ due: { after: 'now' } }, { due: '2026-11-18T11:59:59Z' })).toEqual(NO);
    expect(both({ due: { between: ['2026-01-01', '2027-01-01'] } }, { due: '2027-01-01' })).toEqual(NO);
    expect(both({ due: { before: 'now' } }, { due: 'soon' })).toEqual(CAUTION);
  });
});

describe('what cannot be meant', () => {
  it.each([
    [{}, 'is empty, so it always holds'],
    [[{ a: 1 }, {}], 'is empty, so it always holds'],
    [{ amount: {} }, 'has no operator, so it always holds'],
    [{ 'files.*.path': 'x' }, 'cannot hold a star: {"any": …} and {"all": …} look into an array'],
    [{ a: { in: [] } }, 'in needs at least one value'],
    [{ a: { any: {} } }, 'is empty, so it always holds'],
    [{ a: { gtt: 1 } }, 'has the unknown operator gtt: did you mean gt?'],
    [
      { a: { path_within: { of: 'src', ignorecase: true } } },
      'path_within needs text, an array of texts, or {"of": …, "ignore_case": true}',
    ],
    [{ a: { before: 'tomorrow' } }, 'before needs an instant, a date, or now, now-7d, now+2h'],
  ])('is refused: %j', (when, message) => {
    expect(compileWhen(when, { strict: true })).toMatchObject({ message });
  });

  it('keeps the meaning it had in Atlases that were loaded before', () => {
    for (const [when, expected] of [
      [{}, true],
      [{ amount: {} }, true],
      [{ a: { in: [] } }, false],
      [{ 'files.*.path': 'x' }, false],
    ] as const) {
      const compiled = compileWhen(when, { strict: false });
      if (isWhenProblem(compiled)) throw new Error(compiled.message);
      expect([when, whenHolds(compiled, { parameters: { amount: 1 }, now: NOW }, false)]).toEqual([
        when,
        expected,
      ]);
    }
  });
});

describe('every operator', () => {
  it('names the place of a fault within not as it is written', () => {
    const problem = compileWhen({ sql: { not: { regex: '(' } } }, { strict: true });
    expect(isWhenProblem(problem) && problem.path).toBe('sql.not');
    const deeper = compileWhen({ to: { any: { '.': { not: { gte: 'x' } } } } }, { strict: true });
    expect(isWhenProblem(deeper) && deeper.path).toBe('to.any.not');
  });

  it.each(Object.entries(OPERATORS))(
    '%s is described by an example that compiles',
    (name, { example, summary }) => {
      expect(isWhenProblem(compileWhen({ a: { [name]: example } }, { strict: true }))).toBe(false);
      expect(summary).not.toBe('');
    },
  );

  it.each(Object.keys(OPERATORS))('%s fails for no value: what throws is nobody’s decision', (name) => {
    const word = fc.constantFrom(
      ...Object.getOwnPropertyNames(Object.prototype),
      ' ',
      ';',
      '$(',
      '/',
      ':',
      '..',
      '=',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
      fc.dictionary(word, fc.jsonValue(), { maxKeys: 3 }),
    );
    const { example } = OPERATORS[name] ?? {};
    fc.assert(
      fc.property(value, (given) => {
        const [grants, restricts] = both({ a: { [name]: example } }, { a: given });
        if (grants) expect(restricts).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each(Object.keys(OPERATORS))('%s never grants on a value that it cannot judge', (name) => {
    const { judges, example } = OPERATORS[name] ?? {};
    if (!judges || judges.includes('array')) return;
    fc.assert(
      fc.property(fc.oneof(fc.boolean(), fc.constant(null), fc.array(fc.string()), fc.object()), (value) => {
        expect(both({ a: { [name]: example } }, { a: value })).toEqual(CAUTION);
      }),
      { numRuns: 30 },
    );
  });
});
