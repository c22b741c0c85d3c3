import type { Faults } from './report.ts';

const MESSAGES = {
  derived_missing: 'The row should have been made from others, and is not there.',
  derived_changed: 'The row is not as it is made from others.',
  derived_surplus: 'The row is made from nothing that is there.',
} as const;

/** What a table that is made from others holds otherwise than it should. */
export function reportFault(
  faults: Faults,
  kind: keyof typeof MESSAGES,
  table: string,
  ...key: readonly (string | number)[]
): void {
  faults.add({ kind, message: MESSAGES[kind], table, key: key.join(' ') });
}
