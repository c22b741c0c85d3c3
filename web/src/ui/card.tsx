import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  readonly flush?: boolean;
}

export function Card({ title, aside, children, className, flush }: CardProps) {
  return (
    <section
      className={`flex min-w-0 flex-col rounded-card border border-line bg-surface shadow-card ${className ?? ''}`}
    >
      {title !== undefined && (
        <header className="flex min-h-12 items-center justify-between gap-3 px-4 pt-2">
          <h2 className="font-semibold text-body">{title}</h2>
          {aside}
        </header>
      )}
      <div className={flush ? 'flex min-h-0 flex-1 flex-col' : 'flex-1 p-4 pt-2'}>{children}</div>
    </section>
  );
}
