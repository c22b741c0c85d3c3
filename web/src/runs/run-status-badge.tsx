import { Badge } from '../ui/badge.tsx';
import { statusWords } from './run-words.ts';

export function RunStatusBadge({ status }: { status: string }) {
  const { words, tone, icon } = statusWords(status);
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}
