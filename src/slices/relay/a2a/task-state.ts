/** A2A's task states in the spelling of 0.3, which spans use. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;

export type TaskState = (typeof TASK_STATES)[number];

const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  submitted: ['working', 'canceled', 'rejected'],
  working: ['completed', 'failed', 'canceled', 'input-required', 'auth-required'],
  'input-required': ['working', 'canceled', 'failed'],
  'auth-required': ['working', 'canceled', 'failed'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

function isTaskState(text: unknown): text is TaskState {
  return typeof text === 'string' && Object.hasOwn(NEXT, text);
}

export function isTerminal(state: TaskState): boolean {
  return NEXT[state].length === 0;
}

export function isLegalChange(from: TaskState, to: TaskState): boolean {
  return NEXT[from].includes(to);
}

/** The states passed on the shortest legal way, without the first: a relay sees only some of them. Empty if there is none. */
export function statesBetween(from: TaskState, to: TaskState): readonly TaskState[] {
  const ways: TaskState[][] = [[from]];
  const seen = new Set<TaskState>([from]);
  for (const way of ways) {
    for (const next of NEXT[way.at(-1) as TaskState]) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (next === to) return [...way.slice(1), next];
      ways.push([...way, next]);
    }
  }
  return [];
}

/** 0.3 spells `input-required`, 1.0 `TASK_STATE_INPUT_REQUIRED`. */
export function readTaskState(text: unknown): TaskState | undefined {
  if (typeof text !== 'string') return undefined;
  const plain = text.startsWith('TASK_STATE_')
    ? text.slice('TASK_STATE_'.length).toLowerCase().replaceAll('_', '-')
    : text;
  const spelled = plain === 'cancelled' ? 'canceled' : plain;
  return isTaskState(spelled) ? spelled : undefined;
}
