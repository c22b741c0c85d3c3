/**
 * The one way in which text of others reaches an agent or a terminal. Whatever they wrote, it begins no line, ends no
 * quotation, hides nothing and is bounded:
 *
 * - `named`: an id inside a sentence of ours.
 * - `cited`: a short text inside a sentence of ours, in quotes.
 * - `inline`: a cell, or what ends a line of ours; no quotes.
 * - `quoted`, `quotedJson`: a block in which every line begins with `> `.
 */
import { visible, visibleJson } from './visible-text.ts';

/** Signs that cannot be taken for words of ours around them. */
const BARE = /^[\p{L}\p{N}_@./][\p{L}\p{M}\p{N}._:/@+#~=%|&-]*$/u;

export function named(text: string, most = 120): string {
  return text.length <= most && BARE.test(text) && visible(text) === text ? text : cited(text, most);
}

/** `human lead@example.com`: who wrote what follows. */
export function byline(actor: { readonly type: string; readonly id: string }): string {
  return `${inline(actor.type, 20)} ${named(actor.id)}`;
}

export function cited(text: string, most = 300): string {
  const cut = text.length > most;
  return `${visibleJson(JSON.stringify(head(text, most)))}${cut ? '…' : ''}`;
}

/** Line breaks are shown, because whoever approves a command must see that it is two. */
export function inline(text: string, most = 300): string {
  const start = head(text, most).replaceAll('\r\n', '\n').replaceAll('\t', '\\t');
  const line = visible(start).replaceAll('\n', '\\n').trim();
  return line.length > most || text.length > most ? `${head(line, most - 1)}…` : line;
}

export function quoted(text: string, most = 1200): string {
  const start = head(text, most).replaceAll('\r\n', '\n').replaceAll('\t', '    ');
  return block(visible(start), most, text.length);
}

export function quotedJson(value: unknown, most = 8000): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return block(visibleJson(head(text, most)), most, text.length);
}

/** What was cut is said outside the quotation, where nobody else can say it. */
function block(text: string, most: number, length: number): string {
  const kept = head(text, most);
  const lines = kept.split('\n').map((line) => `> ${line}`);
  if (kept.length < text.length || length > most) lines.push(`[cut: ${length} characters in all]`);
  return lines.join('\n');
}

/** The first code units, without half a character at the end. */
function head(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
