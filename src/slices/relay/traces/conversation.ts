import type { ConversationView } from './schema.ts';
import type { UnderstoodSpan } from './understood-span.ts';

type Turn = ConversationView['items'][number];

const MOST_TEXT = 20_000;

/** What was said, by time: relayed messages with their replies, and what agents and models at the top were asked. */
export function conversationOf(spans: readonly UnderstoodSpan[]): Turn[] {
  const turns = spans.filter(isTurn).flatMap(turnsOf);
  return turns.sort((a, b) => a.at.localeCompare(b.at) || a.direction.localeCompare(b.direction));
}

function isTurn({ view, meaning: { kind, input, output } }: UnderstoodSpan): boolean {
  if (kind === 'task') return true;
  if (input === undefined && output === undefined) return false;
  return view.parent_span_id === null && !view.name.startsWith('a2a.client.');
}

function turnsOf({ view, meaning, agent }: UnderstoodSpan): Turn[] {
  const text = (key: string) => {
    const value = view.attributes[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const from = text('graph.node.parent_id') ?? text('user.id') ?? 'user';
  const to = (meaning.kind === 'task' ? text('o2r.peer.target') : undefined) ?? agent;
  const failed = view.status === 'error';
  const state = text('o2r.task.state');
  const error = failed ? (view.status_message ?? meaning.error) : undefined;
  const shared = {
    kind: meaning.kind,
    failed,
    ...(state !== undefined && { state }),
    trace_id: view.trace_id,
    span_id: view.span_id,
  };
  const turns: Turn[] = [
    { ...shared, at: view.start, from, to, text: cut(meaning.input), direction: 'request' as const },
  ];
  if (meaning.output !== undefined || error !== undefined) {
    turns.push({
      ...shared,
      at: view.end,
      from: to,
      to: from,
      text: cut(meaning.output),
      direction: 'reply' as const,
      ...(error !== undefined && { error }),
    });
  }
  return turns;
}

function cut(text = ''): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
