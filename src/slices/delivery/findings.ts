import type { LooseRecord } from '../../kernel/json/loose.ts';

/** What is wrong with one field of a document, and how to fix it. */
export interface Finding {
  readonly type: string;
  readonly field: string;
  readonly message: string;
  readonly next: string;
  /** The repository path at fault, for rules about paths. */
  readonly path?: string;
  /** Extra members on the wire, such as `referenced_role`. */
  readonly facts?: LooseRecord;
}

export type Report = (field: string, message: string, next: string, more?: Partial<Finding>) => void;

/** Runs a check and returns what it reports, in that order: the first finding names the refusal. */
export function findingsOf(type: string, check: (report: Report) => void): readonly Finding[] {
  const findings: Finding[] = [];
  check((field, message, next, more) => findings.push({ type, field, message, next, ...more }));
  return findings;
}

export function isWhole(value: unknown, from: number, to = Number.POSITIVE_INFINITY): boolean {
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
}

/** Absent members, and those that are null, are often allowed where a wrong value is not. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
