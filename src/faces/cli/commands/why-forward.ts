import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import type { Body } from '../operation.ts';

interface Relied {
  readonly kind: string;
  readonly id: string;
  readonly distance: number;
  readonly from: { readonly kind: string; readonly id: string };
  readonly as: string;
  readonly at: string | null;
  readonly by: string | null;
  readonly words: string | null;
}

/** What relied on something, the nearest first, each under how far away it is. */
export function reliedOn(body: Body): string {
  const things = body.things as readonly Relied[];
  const total = Number(body.total);
  if (total === 0) return `Nothing is known to have relied on ${inline(String(body.id))}.`;
  const kinds = Object.entries(body.by_kind as Record<string, number>)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  const lines = things.map(({ kind, id, distance, from, as, at, by, words }) => {
    const way = distance === 1 ? as : `${as} ${from.kind} ${inline(from.id)}`;
    const who = by ? ` by ${inline(by)}` : '';
    return `${'  '.repeat(Math.min(distance, 8))}${pc.bold(kind)} ${inline(id)} ${pc.dim(`(${way})`)} ${inline(words ?? '')}${who}${at ? pc.dim(` ${at}`) : ''}`;
  });
  const more = total > things.length ? [pc.dim(`  and ${total - things.length} more`)] : [];
  const least = body.complete ? '' : 'at least ';
  return [`${least}${total} relied on it: ${kinds}`, ...lines, ...more].join('\n');
}
