import { Icon, type IconName } from './icon.tsx';
import { didName } from './id-words.ts';

const icons: Readonly<Record<string, IconName>> = { human: 'person', agent: 'agent', script: 'script' };
const words: Readonly<Record<string, string>> = { human: 'Person', agent: 'Agent', script: 'Script' };

/** Who, and what kind of who: the difference that every approval turns on. */
export function ActorName({ id, type }: { id: string; type: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5" title={`${words[type] ?? type} ${id}`}>
      <Icon name={icons[type] ?? 'person'} size={16} className="text-faint" />
      <span className="sr-only">{words[type] ?? type}</span>
      <span className="truncate font-medium">{didName(id)}</span>
    </span>
  );
}
