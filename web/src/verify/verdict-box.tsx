import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';

const looks = {
  good: ['bg-good-soft text-good', 'check'],
  bad: ['bg-bad-soft text-bad', 'warning'],
  unsure: ['bg-warn-soft text-warn', 'info'],
} as const;

/** What came of checking a file: it holds, it does not, or that cannot be said. */
export function VerdictBox({ verdict, children }: { verdict: keyof typeof looks; children: ReactNode }) {
  const [colours, icon] = looks[verdict];
  return (
    <div className={`flex items-start gap-2 rounded-control px-3 py-2 ${colours}`}>
      <Icon name={icon} className="mt-0.5" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}
