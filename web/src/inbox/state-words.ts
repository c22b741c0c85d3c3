import type { Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

export interface StateWords {
  readonly words: string;
  readonly tone: Tone;
  readonly icon: IconName;
  /** What it means, as a sentence. */
  readonly meaning: string;
}

/** What has come of an item. A decision is not yet an effect: `decided` says that one is still awaited. */
export function stateWords(state: string, decision: string | undefined): StateWords {
  const approved = decision !== 'reject';
  switch (state) {
    case 'open':
      return { words: 'Waiting', tone: 'warn', icon: 'clock', meaning: 'It is waiting for a person.' };
    case 'decided':
      return {
        words: approved ? 'Approved, being applied' : 'Rejected, being applied',
        tone: 'info',
        icon: 'clock',
        meaning: 'The decision is recorded and being applied.',
      };
    case 'applied':
      return approved
        ? {
            words: decision === 'approve_with_edits' ? 'Approved with edits' : 'Approved',
            tone: 'good',
            icon: 'check',
            meaning: 'The decision is recorded and applied.',
          }
        : {
            words: 'Rejected',
            tone: 'neutral',
            icon: 'cross',
            meaning: 'The decision is recorded and applied.',
          };
    case 'failed':
      return {
        words: approved ? 'Approved, but failed' : 'Rejected, but failed',
        tone: 'bad',
        icon: 'warning',
        meaning: 'The decision stands, but could not be applied.',
      };
    case 'superseded':
      return {
        words: 'Settled elsewhere',
        tone: 'neutral',
        icon: 'info',
        meaning: 'The question was settled elsewhere or asked again.',
      };
    case 'expired':
      return { words: 'Expired', tone: 'neutral', icon: 'clock', meaning: 'Nobody decided it in time.' };
    default:
      return { words: state, tone: 'neutral', icon: 'info', meaning: '' };
  }
}

const KINDS: Readonly<Record<string, string>> = {
  carp_approval: 'Action approval',
  needs_human: 'A role asks a person',
};

/** `package_review` as a person says it. */
export function kindWords(kind: string): string {
  if (KINDS[kind] !== undefined) return KINDS[kind];
  const words = kind.replaceAll(/[._-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
