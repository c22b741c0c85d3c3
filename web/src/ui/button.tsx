import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';

const tones = {
  plain: 'border border-line bg-surface text-ink shadow-card hover:bg-hover',
  primary: 'bg-accent-solid text-on-accent hover:bg-accent-solid-hover',
  good: 'bg-good-solid text-on-accent hover:brightness-110',
  bad: 'bg-bad-solid text-on-accent hover:brightness-110',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
} as const;

interface ButtonProps extends ComponentProps<'button'> {
  readonly tone?: keyof typeof tones;
  readonly icon?: IconName;
  /** Shows that the work goes on and takes no second click; the label stays, so nothing moves. */
  readonly busy?: boolean;
  /** A key that does the same, shown beside the label. */
  readonly shortcut?: string;
}

export function Button({
  tone = 'plain',
  icon,
  busy,
  shortcut,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy}
      aria-keyshortcuts={shortcut}
      className={`inline-flex h-9 items-center justify-center gap-2 whitespace-nowrap rounded-control px-3 font-medium text-body transition-colors disabled:opacity-60 ${tones[tone]} ${className ?? ''}`}
    >
      {busy ? <Spinner /> : icon ? <Icon name={icon} size={16} /> : null}
      {children}
      {shortcut && (
        <span
          aria-hidden="true"
          className="hidden rounded border border-current/35 px-1 font-mono text-[0.6875rem] leading-4 lg:inline"
        >
          {shortcut}
        </span>
      )}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  readonly label: string;
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`inline-flex size-9 shrink-0 items-center justify-center rounded-control text-soft transition-colors hover:bg-hover hover:text-ink disabled:opacity-40 ${className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  );
}
