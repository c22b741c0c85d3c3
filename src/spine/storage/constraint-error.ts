export type ConstraintKind = 'unique' | 'foreign' | 'check' | 'notnull';

export interface BrokenConstraint {
  readonly kind: ConstraintKind;
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly constraint?: string | undefined;
}

/**
 * A statement broke a rule of the schema. What both engines tell: `table` and `columns` of a unique or not-null
 * rule over plain columns, `constraint` of a named check or of a unique index over an expression, and of a foreign
 * key only the kind. The unit is lost, even if its work catches this: turn it into an error of the room, or avoid
 * it with `on conflict`.
 */
export class ConstraintError extends Error {
  readonly kind: ConstraintKind;
  readonly table: string | undefined;
  readonly columns: readonly string[];
  readonly constraint: string | undefined;

  constructor(broken: BrokenConstraint, cause: unknown) {
    const subject =
      broken.constraint ?? [broken.table, broken.columns?.join(', ')].filter(Boolean).join(': ');
    super(`${broken.kind} constraint broken${subject === '' ? '' : ` (${subject})`}`, { cause });
    this.name = 'ConstraintError';
    this.kind = broken.kind;
    this.table = broken.table;
    this.columns = broken.columns ?? [];
    this.constraint = broken.constraint;
  }

  /** Whether exactly these columns of the table had to be unique. */
  isUnique(table: string, ...columns: string[]): boolean {
    return (
      this.kind === 'unique' &&
      this.table === table &&
      this.columns.length === columns.length &&
      columns.every((column) => this.columns.includes(column))
    );
  }
}
