import { actorColor, initials } from './actor-color.ts';

interface AvatarProps {
  readonly id: string;
  /** People are round, whatever acts by itself is square. */
  readonly type: string;
  readonly size?: 'small' | 'normal';
}

/** Who it is at a glance. The name stands beside it, so that nobody needs to see it. */
export function Avatar({ id, type, size = 'normal' }: AvatarProps) {
  const person = type === 'human';
  const color = person ? 'var(--ink-soft)' : actorColor(id);
  return (
    <span
      aria-hidden="true"
      style={{
        color,
        borderColor: `color-mix(in srgb, ${color} 45%, transparent)`,
        background: `color-mix(in srgb, ${color} 11%, var(--surface))`,
      }}
      className={`inline-flex shrink-0 items-center justify-center border font-semibold ${
        person ? 'rounded-full' : 'rounded-md'
      } ${size === 'small' ? 'size-4.5 text-[0.5625rem]' : 'size-8 text-[0.6875rem]'}`}
    >
      {initials(id)}
    </span>
  );
}
