import { Badge, type Tone } from '../ui/badge.tsx';

const tones: Readonly<Record<string, Tone>> = {
  milestone: 'good',
  decision: 'accent',
  handoff: 'info',
  question: 'warn',
};

export function TypeBadge({ type }: { type: string }) {
  return <Badge tone={tones[type] ?? 'neutral'}>{type.replace(/^x-/, '').replaceAll('_', ' ')}</Badge>;
}

const words: Readonly<Record<string, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  awaiting_review: ['Waiting for review', 'warn'],
  revision_requested: ['Changes requested', 'bad'],
};

/** What is complete needs no word. */
export function StatusBadge({ status }: { status: string }) {
  const [said, tone] = words[status] ?? [];
  return said === undefined ? null : <Badge tone={tone ?? 'neutral'}>{said}</Badge>;
}
