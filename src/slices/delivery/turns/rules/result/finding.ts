export type Stage = 'schema' | 'assignment' | 'artifact' | 'verification' | 'protocol';

export const STAGES: readonly Stage[] = ['schema', 'assignment', 'artifact', 'verification', 'protocol'];

/** One thing a stage objects to: which rule, where, and how to mend it. */
export interface Finding {
  readonly type: string;
  readonly field: string;
  readonly message: string;
  readonly next: string;
  /** The repository path at fault, for rules about paths. */
  readonly path?: string;
}

export function finder(defaultType: string) {
  return (field: string, message: string, next: string, type = defaultType): Finding => ({
    type,
    field,
    message,
    next,
  });
}
