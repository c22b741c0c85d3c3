import pc from 'picocolors';
import type { SpanLine } from './relay-tree.ts';
import { headline, messageLines } from './relay-tree.ts';

/** One span as it arrives: children come before their parents, so that a tree cannot be drawn yet. */
export function logLine(span: SpanLine): string {
  const time = pc.dim(span.start.slice(11, 23));
  const words = messageLines(span).map((line) => `\n${' '.repeat(14)}${pc.dim(line)}`);
  return `${time}  ${headline(span)}${words.join('')}\n`;
}
