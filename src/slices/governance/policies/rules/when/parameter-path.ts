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
