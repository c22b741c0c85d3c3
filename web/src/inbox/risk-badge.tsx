import { Badge, type Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

const looks: Readonly<Record<string, { tone: Tone; words: string; icon?: IconName }>> = {
  low: { tone: 'neutral', words: 'Low risk' },
  medium: { tone: 'info', words: 'Medium risk' },
  high: { tone: 'warn', words: 'High risk', icon: 'warning' },
  critical: { tone: 'bad', words: 'Critical risk', icon: 'warning' },
};

export function RiskBadge({ risk }: { risk: string }) {
  const { tone, words, icon } = looks[risk] ?? { tone: 'neutral', words: risk };
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}
