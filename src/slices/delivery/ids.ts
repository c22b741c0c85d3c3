export const ROLE_ID = /^[a-z0-9_-]+$/;
export const PHASE_NAME = /^[a-z][a-z0-9_-]*$/;
export const DECISION_ID = /^DEC-\d+$/;
export const OBJECTION_ID = /^OBJ-\d+$/;
export const DELEGATION_ID = /^del-\d{3}$/;
export const HOOK_NAME = /^[a-z0-9_-]+$/;

/** `numberedId('DEC', 3)` is `DEC-003`. */
export function numberedId(prefix: string, index: number): string {
  return `${prefix}-${String(index).padStart(3, '0')}`;
}
