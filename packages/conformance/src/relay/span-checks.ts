/** What must hold for the spans of a session, whoever wrote them. Each check returns what it found wrong. */
import { type ObservedSpan, textAt } from './trace-query.ts';

export type SpanCheck = (spans: readonly ObservedSpan[]) => string[];

/** Repeated here on purpose: a relay must not be checked against its own table. */
const LEGAL_CHANGES: Readonly<Record<string, readonly string[]>> = {
  submitted: ['working', 'canceled', 'rejected'],
  working: ['completed', 'failed', 'canceled', 'input-required', 'auth-required'],
  'input-required': ['working', 'canceled', 'failed'],
  'auth-required': ['working', 'canceled', 'failed'],
};
const CALLED_TOOL = /(^|\.)tool_call\.function\.name$/;
const PERSONAL: readonly (readonly [string, RegExp])[] = [
  ['an e-mail address', /[\w.+-]+@[\w-]+(\.[\w-]+)+/],
  ['a social security number', /\b\d{3}-\d{2}-\d{4}\b/],
];

const named = (span: ObservedSpan) => `${span.name} ${span.span_id}`;

/** If a model's span says that it called a tool, the tool's own span lies within it. */
const toolCallsAreObserved: SpanCheck = (spans) =>
  spans
    .filter((span) => textAt(span, 'openinference.span.kind') === 'LLM')
    .flatMap((model) =>
      Object.keys(model.attributes)
        .filter((key) => CALLED_TOOL.test(key))
        .map((key) => textAt(model, key))
        .filter((tool) => !spans.some((span) => isCallOf(tool, model, span)))
        .map((tool) => `${named(model)} called ${tool}, but no span shows it`),
    );

function isCallOf(tool: string, model: ObservedSpan, span: ObservedSpan): boolean {
  return (
    textAt(span, 'openinference.span.kind') === 'TOOL' &&
    textAt(span, 'tool.name') === tool &&
    textAt(span, 'session.id') === textAt(model, 'session.id') &&
    span.start >= model.start &&
    span.end <= model.end
  );
}

const noPersonalData: SpanCheck = (spans) =>
  spans.flatMap((span) => {
    const said = JSON.stringify([span.name, span.status_message, span.attributes, span.events]);
    return PERSONAL.filter(([, pattern]) => pattern.test(said)).map(
      ([what]) => `${named(span)} shows ${what}`,
    );
  });

const everySpanHas =
  (attribute: string): SpanCheck =>
  (spans) =>
    spans
      .filter((span) => span.name.startsWith('a2a.') && textAt(span, attribute) === '')
      .map((span) => `${named(span)} has no ${attribute}`);

const everyFailureHasAClass: SpanCheck = (spans) =>
  spans
    .filter((span) => span.status === 'error' && textAt(span, 'agent.role') === 'relay')
    .filter((span) => textAt(span, 'o2r.relay.failure_class') === '')
    .map((span) => `${named(span)} failed without o2r.relay.failure_class`);

const everyParentIsObserved: SpanCheck = (spans) => {
  const known = new Set(spans.flatMap((span) => [textAt(span, 'agent.id'), textAt(span, 'graph.node.id')]));
  return spans
    .map((span) => [span, textAt(span, 'graph.node.parent_id')] as const)
    .filter(([, parent]) => parent !== '' && !known.has(parent))
    .map(([span, parent]) => `${named(span)} has the parent ${parent}, which has no span`);
};

const statesChangeLegally: SpanCheck = (spans) =>
  spans.flatMap((span) => {
    const changes = span.events
      .filter(({ name }) => name === 'o2r.task.state_change')
      .map(({ attributes }) => ({ from: String(attributes.from), to: String(attributes.to) }));
    const wrong: string[] = [];
    changes.forEach(({ from, to }, at) => {
      if (!LEGAL_CHANGES[from]?.includes(to)) wrong.push(`${named(span)} went from ${from} to ${to}`);
      const before = changes[at - 1]?.to;
      if (before !== undefined && before !== from)
        wrong.push(`${named(span)} was ${before} but then left ${from}`);
    });
    const last = changes.at(-1)?.to;
    const state = textAt(span, 'o2r.task.state');
    if (last !== undefined && last !== state)
      wrong.push(`${named(span)} says ${state}, but its last change says ${last}`);
    return wrong;
  });

const chunksAreInOrder: SpanCheck = (spans) =>
  spans.flatMap((span) => {
    const chunks = span.events.filter(({ name }) => name === 'a2a.message.stream_chunk');
    const inOrder = chunks.every(({ attributes }, at) => attributes.seq === at);
    const oneFinal = chunks.every(({ attributes }, at) => attributes.final === (at === chunks.length - 1));
    return [
      ...(inOrder ? [] : [`${named(span)} numbers its chunks wrongly`]),
      ...(oneFinal ? [] : [`${named(span)} does not end with its only final chunk`]),
    ];
  });

export const SPAN_CHECKS: Readonly<Record<string, SpanCheck>> = {
  'tool calls are observed': toolCallsAreObserved,
  'no personal data': noPersonalData,
  'every agent has a role': everySpanHas('agent.role'),
  'every span has a session': everySpanHas('session.id'),
  'every failure of the relay has a class': everyFailureHasAClass,
  'every parent in the graph is observed': everyParentIsObserved,
  'states change legally': statesChangeLegally,
  'chunks are in order': chunksAreInOrder,
};
