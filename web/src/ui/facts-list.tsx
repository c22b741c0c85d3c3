import type { ReactNode } from 'react';

/** Names and values, one pair a line. */
export function FactsList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid content-start items-baseline grid-cols-[minmax(5.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="py-0.5 text-faint">{name}</dt>
          <dd className="min-w-0 break-words py-0.5">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
