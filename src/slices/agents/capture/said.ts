import { formatMillis } from '../../../kernel/instant.ts';
import type { Activity } from './store.ts';

/** What the person said, turn by turn. */
export function saidBy(activity: readonly Activity[]) {
  return activity
    .filter(({ kind }) => kind === 'prompt')
    .map(({ callKey, text, atMicros }) => ({ id: callKey, text, at: formatMillis(atMicros) }));
}
