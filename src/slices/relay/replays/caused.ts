import type { Captured } from './captured.ts';

/** What is known of the spans around a message: above a span stands another, which may not be kept. */
export type Parents = ReadonlyMap<string, string | null>;

/**
 * The messages that an agent sent because of another one of these. Whoever sends that one again makes the agent send
 * these again, so that they must not be sent by themselves.
 */
export function causedBy(messages: readonly Captured[], parents: Parents): ReadonlySet<Captured> {
  const bySpan = new Map(messages.map((message) => [message.spanId, message]));
  const byTime = [...messages].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const caused = new Set<Captured>();
  /** Those that were under way when one began: few, since they are given up as soon as they are over. */
  let open: Captured[] = [];
  for (const message of byTime) {
    open = open.filter(({ end }) => end >= message.start);
    const { above, last } = ancestry(message, parents, bySpan);
    const isBelow = above !== undefined;
    // The agent's own spans need not be kept, nor need it pass the trace on.
    const isWithin = () =>
      open.some(
        (other) =>
          other.peerId === message.sender &&
          other.end >= message.end &&
          (last === null || last !== ancestry(other, parents, bySpan).last),
      );
    if (isBelow || isWithin()) caused.add(message);
    open.push(message);
  }
  return caused;
}

/** The nearest message above, and the id at which the chain of spans ends. */
function ancestry(
  { spanId }: Captured,
  parents: Parents,
  bySpan: ReadonlyMap<string, Captured>,
): { readonly above: Captured | undefined; readonly last: string | null } {
  const seen = new Set([spanId]);
  let at = parents.get(spanId) ?? null;
  while (at !== null && !seen.has(at)) {
    const above = bySpan.get(at);
    if (above) return { above, last: at };
    seen.add(at);
    const next = parents.get(at);
    if (next === undefined) return { above: undefined, last: at };
    at = next;
  }
  return { above: undefined, last: null };
}
