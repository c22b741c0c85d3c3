import { type ReactNode, useEffect, useRef } from 'react';

/** What the page is, in one line, and what it is for, in one more. */
export function PageHeader({ title, lead, actions }: { title: string; lead: string; actions?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Baton`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 ref={heading} tabIndex={-1} className="font-semibold text-title tracking-tight">
          {title}
        </h1>
        <p className="mt-1 max-w-[65ch] text-soft">{lead}</p>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
