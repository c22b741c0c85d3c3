/** What a row of approved calls have in common, as a condition that they all fit and little else does. Pure. */
import { isJsonObject, type Json, JsonNumber, type JsonObject } from '../../../../kernel/json/value.ts';
import { compareDecimals, decimalOf } from '../../policies/rules/decimal.ts';
import { pathSteps } from '../../policies/rules/when/parameter-path.ts';
import { compileWhen, isWhenProblem, whenHolds } from '../../policies/rules/when/when.ts';

export interface Bound {
  /** As a condition writes it. */
  readonly path: string;
  readonly test: Readonly<Record<string, unknown>>;
}

export interface Region {
  readonly bounds: readonly Bound[];
  /** Texts that were another one each time, such as the number of an order: they may be anything. */
  readonly free: readonly string[];
}

const DEEPEST = 3;
/** A few texts that came again and again are a list of what was agreed to; more are not. */
const FEW_TEXTS = 4;
const TIMES_EACH = 4;

/**
 * Undefined where the calls cannot be bounded without guessing: they differ in which parameters they have, or in one that
 * holds a list, or a number written as text. `deciding` are the paths that the rule itself looks at; those are always bounded.
 */
export function regionOf(
  calls: readonly JsonObject[],
  deciding: readonly string[],
  absent: readonly string[],
): Region | undefined {
  const [first] = calls;
  if (first === undefined) return undefined;
  const each = calls.map((parameters) => leavesOf(parameters));
  if (each.some((leaves) => leaves === undefined)) return undefined;
  const leaves = each as ReadonlyMap<string, Json>[];
  const shape = shapeOf(first);
  if (!calls.every((parameters) => shapeOf(parameters) === shape)) return undefined;
  const bounds: Bound[] = [];
  const free: string[] = [];
  for (const path of leaves[0]?.keys() ?? []) {
    const test = testOf(leaves.map((found) => found.get(path) as Json));
    if (test === 'free') free.push(path);
    else if (test === undefined) return undefined;
    else bounds.push({ path, test });
  }
  if (free.some((path) => deciding.some((other) => isAt(path, other)))) return undefined;
  if (free.length > 0 && bounds.length === 0) return undefined;
  return { bounds: [...bounds, ...absent.map((path) => ({ path, test: { exists: false } }))], free };
}

/** Which parameters a call has, by their paths. */
export function shapeOf(parameters: JsonObject): string {
  return [...(leavesOf(parameters)?.keys() ?? [])].sort().join('\n');
}

function isAt(path: string, other: string): boolean {
  const [left, right] = [pathSteps(path).join('.'), pathSteps(other).join('.')];
  return left === right || left.startsWith(`${right}.`);
}

function testOf(values: readonly Json[]): Bound['test'] | 'free' | undefined {
  if (values.every((value) => typeof value === 'number' || value instanceof JsonNumber)) return range(values);
  if (values.every((value) => typeof value === 'boolean')) {
    return new Set(values).size === 1 ? { eq: values[0] } : 'free';
  }
  if (!values.every((value) => typeof value === 'string')) return undefined;
  const texts = new Map<string, number>();
  for (const text of values) texts.set(text, (texts.get(text) ?? 0) + 1);
  if (texts.size === 1) return { eq: values[0] };
  if (texts.size <= FEW_TEXTS && [...texts.values()].every((times) => times >= TIMES_EACH)) {
    return { in: [...texts.keys()].sort() };
  }
  // An amount in quotation marks has no order that a rule could bound it by.
  return values.every((text) => decimalOf(text) !== undefined && !/^\d+$/.test(text)) ? undefined : 'free';
}

function range(values: readonly Json[]): Bound['test'] | undefined {
  const numbers = values.map((value) => ({ value: plainNumber(value), decimal: decimalOf(value) }));
  let [low, high] = [numbers[0], numbers[0]];
  for (const each of numbers) {
    if (each.value === undefined || each.decimal === undefined || !low?.decimal || !high?.decimal)
      return undefined;
    if (compareDecimals(each.decimal, low.decimal) < 0) low = each;
    if (compareDecimals(each.decimal, high.decimal) > 0) high = each;
  }
  return low?.value === high?.value ? { eq: low?.value } : { gte: low?.value, lte: high?.value };
}

/** Undefined where a number of this language is another one. */
function plainNumber(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (!(value instanceof JsonNumber)) return undefined;
  const [exact, rounded] = [decimalOf(value), decimalOf(value.toNumber())];
  return exact && rounded && compareDecimals(exact, rounded) === 0 ? value.toNumber() : undefined;
}

/** Undefined where something is too deep or too wide to be named by a path. */
function leavesOf(parameters: JsonObject): ReadonlyMap<string, Json> | undefined {
  const found = new Map<string, Json>();
  const visit = (value: Json, steps: readonly string[]): boolean => {
    if (isJsonObject(value) && steps.length < DEEPEST) {
      const members = Object.entries(value);
      return members.length > 0 && members.every(([name, inner]) => visit(inner, [...steps, name]));
    }
    if (typeof value === 'object' && !(value instanceof JsonNumber)) return false;
    found.set(pathText(steps), value);
    return true;
  };
  return Object.entries(parameters).every(([name, value]) => visit(value, [name])) ? found : undefined;
}

function pathText(steps: readonly string[]): string {
  const dotted = steps.join('.');
  const plain = !/^[@/]/.test(dotted) && steps.every((step) => step !== '' && !/[.*]/.test(step));
  return plain
    ? dotted
    : `/${steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** A condition of these bounds; undefined where there are none, which is no condition at all. */
export function whenOf({ bounds }: Pick<Region, 'bounds'>): Record<string, unknown> | undefined {
  if (bounds.length === 0) return undefined;
  return Object.fromEntries(
    bounds.map(({ path, test }) => [path, Object.keys(test).join() === 'eq' ? test.eq : test]),
  );
}

/** Whether a call lies within, or may: what cannot be judged counts as within, so that no exception is overlooked. */
export function mayLieWithin(region: Region, parameters: JsonObject): boolean {
  const when = whenOf(region);
  if (when === undefined) return true;
  const compiled = compileWhen(when, { strict: true });
  return isWhenProblem(compiled) || whenHolds(compiled, { parameters, now: 0 }, true);
}
