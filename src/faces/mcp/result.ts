import type { CallToolResult } from '@modelcontextprotocol/server';
import { visibleJson } from '../../kernel/visible-text.ts';
import type { Rendered } from '../../spine/dispatch/dispatch.ts';
import type { CoreTool } from './core-tools.ts';

/**
 * An answer without its envelope. What HTTP says in headers (the next page, a warning) stands beside the content, since
 * a tool has no headers.
 */
export function agentText({ body, headers }: Pick<Rendered, 'body' | 'headers'>): string {
  const text = visibleJson(body);
  if (headers['content-type']?.startsWith('text/')) return text;
  if (text === '' || text === 'null') return '{"done":true}';
  const next = /[?&]cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
  const warning = headers['relay-warning'];
  const beside = `${next === undefined ? '' : `,"next":${JSON.stringify(decodeURIComponent(next))}`}${
    warning === undefined ? '' : `,"warning":${visibleJson(JSON.stringify(warning))}`
  }`;
  if (text.startsWith('[')) return `{"items":${text}${beside}}`;
  return beside === '' ? text : `${text.slice(0, -1)}${text === '{}' ? beside.slice(1) : beside}}`;
}

/** For a tool of the core, also as data: what it keeps of the answer, and its sentence as the text. */
export function toolResult(text: string, core: CoreTool | undefined): CallToolResult {
  if (!core?.output) return { content: [{ type: 'text', text }] };
  const whole = JSON.parse(text) as Record<string, unknown>;
  const { keeps } = core;
  const kept = keeps
    ? Object.fromEntries(Object.entries(whole).filter(([name]) => keeps.includes(name)))
    : whole;
  const words = typeof kept.words === 'string' ? kept.words : undefined;
  const said = words ?? (keeps ? visibleJson(JSON.stringify(kept)) : text);
  return { content: [{ type: 'text', text: said }], structuredContent: kept };
}

export function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
