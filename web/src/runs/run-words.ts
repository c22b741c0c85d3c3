import type { Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

const STATUSES: Readonly<Record<string, { words: string; tone: Tone; icon: IconName }>> = {
  idle: { words: 'Not started', tone: 'neutral', icon: 'pause' },
  active: { words: 'Running', tone: 'info', icon: 'run' },
  paused: { words: 'Waiting at a gate', tone: 'warn', icon: 'pause' },
  blocked: { words: 'Blocked', tone: 'bad', icon: 'warning' },
  completed: { words: 'Completed', tone: 'good', icon: 'check' },
  failed: { words: 'Failed', tone: 'bad', icon: 'cross' },
};

export function statusWords(status: string) {
  return STATUSES[status] ?? { words: status, tone: 'neutral' as const, icon: 'info' as const };
}
