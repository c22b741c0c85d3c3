/** Why a message is not sent again, or may not say what the original said. */
export const REASONS = {
  not_kept: 'What was said is not kept.',
  file_not_kept: 'A file that was sent is not kept, only its digest.',
  cut: 'The message is longer than what a span keeps.',
  masked: 'Secrets in the message are masked.',
  changed: 'What is kept differs from what was sent.',
  caused: 'An agent sent it while it answered another of these messages, and will again.',
  peer_gone: 'No peer of this name is registered: name another one with `to`.',
  unknown_task: 'It continues a task that none of these messages opened.',
  no_counterpart: 'It continues a task that has no counterpart in the replay.',
  task_over: 'It continues a task whose counterpart in the replay is over.',
  stopped: 'The replay ended before it.',
  interrupted: 'The server ended while it was being sent: whether the agent has it is not known.',
} as const;

export type Reason = keyof typeof REASONS;

/** Reasons that whoever asks may set aside: the message is then sent as it is kept. */
const ALTERED: ReadonlySet<Reason> = new Set(['masked', 'changed']);

export function mayBeSentAltered(reason: Reason): boolean {
  return ALTERED.has(reason);
}
