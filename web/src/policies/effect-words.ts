import type { Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

export interface EffectWords {
  readonly words: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

const EFFECTS: Readonly<Record<string, EffectWords>> = {
  allow: { words: 'Allowed', tone: 'good', icon: 'check' },
  deny: { words: 'Denied', tone: 'bad', icon: 'cross' },
  require_approval: { words: 'A person decides', tone: 'warn', icon: 'person' },
  agreed: { words: 'A person agreed', tone: 'good', icon: 'person' },
  approved: { words: 'Approved', tone: 'good', icon: 'check' },
  executed: { words: 'Ran', tone: 'neutral', icon: 'run' },
  denied: { words: 'Call stopped', tone: 'bad', icon: 'cross' },
  failed: { words: 'Failed', tone: 'bad', icon: 'warning' },
  refused: { words: 'Refused', tone: 'bad', icon: 'cross' },
  log_only: { words: 'Denied, only logged', tone: 'warn', icon: 'eye' },
};

export function effectWords(effect: string): EffectWords {
  return EFFECTS[effect] ?? { words: effect, tone: 'neutral', icon: 'info' };
}
