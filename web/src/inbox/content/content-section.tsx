import type { ReactNode } from 'react';

export function ContentSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-medium text-faint text-small">{title}</h3>
      {children}
    </section>
  );
}

/** Text that somebody else wrote, shown as written: never run, never linked. */
export function QuotedText({ text }: { text: string }) {
  return (
    <blockquote className="whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3">
      {text}
    </blockquote>
  );
}

export function BulletList({ items }: { items: readonly string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {items.map((item) => (
        <li key={item} className="break-words">
          {item}
        </li>
      ))}
    </ul>
  );
}
