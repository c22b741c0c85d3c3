import { actorColor } from '../ui/actor-color.ts';

const ARROW = ' → ';

interface AgentLabelProps {
  readonly label: string;
  /** What stands beside it gives way first. */
  readonly whole?: boolean;
}

/** `a → b` in the colours of both, or one agent in its own. */
export function AgentLabel({ label, whole = false }: AgentLabelProps) {
  const names = label.split(ARROW);
  return (
    <span className={`min-w-0 truncate font-medium ${whole ? 'max-w-[65%] shrink-0' : ''}`} title={label}>
      {names.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an agent may call itself
        <span key={at}>
          {at > 0 && <span className="text-faint">{ARROW}</span>}
          <span style={{ color: actorColor(name) }}>{name}</span>
        </span>
      ))}
    </span>
  );
}
