import { JsonNumber } from '../../../../../kernel/json/value.ts';

/** `items.0.price` or `/items/0/price`. */
export function pathSteps(path: string): readonly string[] {
  if (!path.startsWith('/')) return path.split('.');
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined where there is no value; inherited members do not count. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || at instanceof JsonNumber || !Object.hasOwn(at, step))
      return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** Whether the way there ends at something without members: `order.total` where `order` is a text, or a list of orders. */
export function isBlocked(value: unknown, steps: readonly string[]): boolean {
  let at = value;
  for (const step of steps) {
    if (at === undefined || at === null) return false;
    if (typeof at !== 'object' || at instanceof JsonNumber) return true;
    if (!Object.hasOwn(at, step)) return Array.isArray(at) && !/^\d+$/.test(step);
    at = (at as Record<string, unknown>)[step];
  }
  return false;
}
