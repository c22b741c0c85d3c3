import { Badge, type Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

const looks: Readonly<Record<string, { tone: Tone; icon?: IconName }>> = {
  public: { tone: 'good' },
  standard: { tone: 'neutral' },
  sensitive: { tone: 'warn', icon: 'lock' },
  restricted: { tone: 'bad', icon: 'lock' },
};

export function SensitivityBadge({ level }: { level: string }) {
  const { tone, icon } = looks[level] ?? { tone: 'neutral' as const };
  return (
    <Badge tone={tone} icon={icon}>
      {level}
    </Badge>
  );
}
