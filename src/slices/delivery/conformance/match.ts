import { asList, isNonBlank, isRecord, isString } from '../../../kernel/json/loose.ts';

/** Members of `expected` that say nothing about the answer. */
const IGNORED = new Set(['warnings_allowed']);

type Matcher = (wanted: Readonly<Record<string, unknown>>, actual: unknown) => boolean;

const MATCHERS: Readonly<Record<string, Matcher>> = {
  nonempty_string: (_wanted, actual) => isNonBlank(actual),
  present: (_wanted, actual) => actual !== undefined,
  id_prefix: (wanted, actual) =>
    isString(actual) && isString(wanted.value) && actual.startsWith(wanted.value),
  unordered_array: (wanted, actual) => matchesUnordered(asList(wanted.items), actual),
};

/** The path where `actual` first fails to contain `expected`; null if it contains it. */
export function firstMismatch(expected: unknown, actual: unknown, path = '$'): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return path;
    return firstOf(
      expected.map((item, index) => () => firstMismatch(item, actual[index], `${path}[${index}]`)),
    );
  }
  if (!isRecord(expected)) return Object.is(expected, actual) ? null : path;
  if (isString(expected.assert)) {
    const matcher = Object.hasOwn(MATCHERS, expected.assert) ? MATCHERS[expected.assert] : undefined;
    return matcher?.(expected, actual) === true ? null : path;
  }
  if (!isRecord(actual)) return path;
  return firstOf(
    Object.entries(expected)
      .filter(([key]) => !IGNORED.has(key))
      .map(
        ([key, value]) =>
          () =>
            firstMismatch(value, Object.hasOwn(actual, key) ? actual[key] : undefined, `${path}.${key}`),
      ),
  );
}

function matchesUnordered(wanted: readonly unknown[], actual: unknown): boolean {
  if (!Array.isArray(actual) || actual.length !== wanted.length) return false;
  const left = [...actual];
  return wanted.every((item) => {
    const at = left.findIndex((candidate) => firstMismatch(item, candidate) === null);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const mismatch = check();
    if (mismatch !== null) return mismatch;
  }
  return null;
}
