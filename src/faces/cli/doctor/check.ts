/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `warn` does not make the doctor fail: it works, but not as well as it could. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it. */
  readonly next?: string;
  /** Mends it; what was done, in words. */
  readonly fix?: () => Promise<string>;
}

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail });
export const warn = (name: string, detail: string, next?: string): Check => ({
  name,
  state: 'warn',
  detail,
  ...(next !== undefined && { next }),
});
export const fail = (name: string, detail: string, next?: string): Check => ({
  name,
  state: 'fail',
  detail,
  ...(next !== undefined && { next }),
});

/** A check that throws has failed. */
export async function checked(name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (error) {
    return fail(name, error instanceof Error ? error.message : String(error));
  }
}
