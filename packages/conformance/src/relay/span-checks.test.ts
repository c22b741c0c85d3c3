import { describe, expect, it } from 'vitest';
import { SPAN_CHECKS } from './span-checks.ts';
import type { ObservedSpan } from './trace-query.ts';

const task: ObservedSpan = {
  trace_id: 'a'.repeat(32),
  span_id: '1'.repeat(16),
  parent_span_id: null,
  name: 'a2a.task',
  start: '2026-01-01T00:00:00.000000Z',
  end: '2026-01-01T00:00:09.000000Z',
  status: 'error',
  attributes: {
    'agent.id': 'relay',
    'agent.role': 'relay',
    'session.id': 's',
    'graph.node.id': 'relay',
    'graph.node.parent_id': 'A',
    'o2r.task.state': 'failed',
    'o2r.relay.failure_class': 'timeout',
    'openinference.span.kind': 'LLM',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'search',
  },
  events: [
    { name: 'o2r.task.state_change', attributes: { from: 'submitted', to: 'working' } },
    { name: 'a2a.message.stream_chunk', attributes: { seq: 0, final: false } },
    { name: 'a2a.message.stream_chunk', attributes: { seq: 1, final: true } },
    { name: 'o2r.task.state_change', attributes: { from: 'working', to: 'failed' } },
  ],
};
const tool: ObservedSpan = {
  ...task,
  span_id: '2'.repeat(16),
  name: 'search',
  status: 'ok',
  start: '2026-01-01T00:00:01.000000Z',
  end: '2026-01-01T00:00:02.000000Z',
  attributes: {
    'agent.id': 'A',
    'session.id': 's',
    'openinference.span.kind': 'TOOL',
    'tool.name': 'search',
  },
  events: [],
};

const withAttributes = (span: ObservedSpan, attributes: Record<string, unknown>): ObservedSpan => ({
  ...span,
  attributes: { ...span.attributes, ...attributes },
});
const withEvent = (at: number, attributes: Record<string, unknown>): ObservedSpan => ({
  ...task,
  events: task.events.map((event, i) => (i === at ? { ...event, attributes } : event)),
});

describe('the eight assertions', () => {
  it('find nothing in a sound capture', () => {
    for (const check of Object.values(SPAN_CHECKS)) expect(check([task, tool])).toEqual([]);
  });

  it.each<[string, ObservedSpan[]]>([
    ['tool calls are observed', [task, { ...tool, end: '2026-01-01T00:00:10.000000Z' }]],
    ['tool calls are observed', [task, withAttributes(tool, { 'session.id': 'other' })]],
    ['no personal data', [withAttributes(task, { 'input.value': 'ann@example.org' }), tool]],
    ['no personal data', [withEvent(1, { seq: 0, final: false, text: '123-45-6789' }), tool]],
    ['every agent has a role', [withAttributes(task, { 'agent.role': '' }), tool]],
    ['every span has a session', [withAttributes(task, { 'session.id': undefined }), tool]],
    [
      'every failure of the relay has a class',
      [withAttributes(task, { 'o2r.relay.failure_class': undefined }), tool],
    ],
    ['every parent in the graph is observed', [withAttributes(task, { 'graph.node.parent_id': 'B' }), tool]],
    ['states change legally', [withEvent(3, { from: 'working', to: 'rejected' }), tool]],
    ['states change legally', [withEvent(0, { from: 'submitted', to: 'canceled' }), tool]],
    ['states change legally', [withAttributes(task, { 'o2r.task.state': 'completed' }), tool]],
    ['chunks are in order', [withEvent(2, { seq: 2, final: true }), tool]],
    ['chunks are in order', [withEvent(1, { seq: 0, final: true }), tool]],
  ])('find what is wrong: %s', (name, spans) => {
    expect(SPAN_CHECKS[name]!(spans)).not.toEqual([]);
  });
});
