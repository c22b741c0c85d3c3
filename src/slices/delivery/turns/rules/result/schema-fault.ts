import { finder } from './finding.ts';

export const fault = finder('schema_error');

export function oneOf(field: string, value: unknown, values: readonly string[]) {
  return typeof value === 'string' && values.includes(value)
    ? []
    : [
        fault(
          field,
          `${field} is ${JSON.stringify(value) ?? 'missing'}.`,
          `Use one of: ${values.join(', ')}.`,
        ),
      ];
}
