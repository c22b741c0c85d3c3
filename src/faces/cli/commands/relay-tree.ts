import pc from 'picocolors';
import { inline, named } from '../../../kernel/quoted.ts';

export interface SpanLine {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  readonly start: string;
  readonly duration_ms: number;
  readonly status: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** Traces one below the other, spans as a tree, with messages below the span that carries them. */
export function treeText(spans: readonly SpanLine[]): string {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const children = new Map<string, SpanLine[]>();
  const roots: SpanLine[] = [];
  for (const span of [...spans].sort(
    (a, b) => a.start.localeCompare(b.start) || a.name.localeCompare(b.name),
  )) {
    const parent = span.parent_span_id;
    if (parent === null || !ids.has(parent)) roots.push(span);
    else children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const lines: string[] = [];
  const write = (span: SpanLine, indent: string, branch: string) => {
    lines.push(`${indent}${branch}${headline(span)}`);
    const below = indent + (branch === '' ? '' : branch.startsWith('└') ? '   ' : '│  ');
    const own = children.get(span.span_id) ?? [];
    for (const detail of details(span))
      lines.push(`${below}${own.length > 0 ? '│  ' : '   '}${pc.dim(detail)}`);
    own.forEach((child, i) => {
      write(child, below, i === own.length - 1 ? '└─ ' : '├─ ');
    });
  };
  let trace = '';
  for (const root of roots) {
    if (root.trace_id !== trace) lines.push(pc.dim(`trace ${inline(root.trace_id)}`));
    trace = root.trace_id;
    write(root, '', '');
  }
  return `${lines.join('\n')}\n`;
}

function headline({ name, attributes, duration_ms, status }: SpanLine): string {
  const node = text(attributes['graph.node.id']) || text(attributes['agent.id']);
  const parent = text(attributes['graph.node.parent_id']);
  const who = parent ? `${parent} → ${node}` : node;
  const state = text(attributes['o2r.task.state']);
  const failure = text(attributes['o2r.relay.failure_class']);
  const mark = status === 'error' ? pc.red('✗') : status === 'ok' ? pc.green('✓') : '·';
  return [
    mark,
    pc.bold(inline(name, 100)),
    who && pc.cyan(who),
    state,
    failure && pc.red(failure),
    pc.dim(`${duration_ms.toFixed(1)} ms`),
  ]
    .filter(Boolean)
    .join('  ');
}

function details(span: SpanLine): string[] {
  const changes = span.events
    .filter((event) => event.name === 'o2r.task.state_change')
    .map((event, i) =>
      i === 0
        ? `${stateName(event.attributes.from)} → ${stateName(event.attributes.to)}`
        : stateName(event.attributes.to),
    );
  const chunks = span.events.filter((event) => event.name === 'a2a.message.stream_chunk').length;
  if (changes.length === 0) return messageLines(span);
  return [
    ...messageLines(span),
    `${changes.join(' → ')}${chunks > 0 ? `  (${chunks} ${chunks === 1 ? 'piece' : 'pieces'})` : ''}`,
  ];
}

/** What went in or came out, on the one span that represents it. */
function messageLines({ name, attributes }: SpanLine): string[] {
  const heard = name === 'a2a.task' ? text(attributes['o2r.message.text']) : '';
  const answered = name === 'a2a.message.send' ? text(attributes['o2r.message.reply_text']) : '';
  return [...(heard ? [`in:  ${heard}`] : []), ...(answered ? [`out: ${answered}`] : [])];
}

/** It may begin a line. */
function stateName(value: unknown): string {
  return typeof value === 'string' ? named(value, 100) : '';
}

function text(value: unknown): string {
  return typeof value === 'string' ? inline(value, 100) : '';
}

/** One span as it arrives: children come before their parents, so that a tree cannot be drawn yet. */
export function logLine(span: SpanLine): string {
  const time = pc.dim(inline(span.start.slice(11, 23)));
  const words = messageLines(span).map((line) => `\n${' '.repeat(14)}${pc.dim(line)}`);
  return `${time}  ${headline(span)}${words.join('')}\n`;
}
