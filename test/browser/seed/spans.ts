import type { TestServer } from '../../setup/server.ts';

interface Step {
  readonly agent: string;
  readonly name: string;
  readonly parent?: number;
  /** Milliseconds after the trace began. */
  readonly from: number;
  readonly to: number;
  readonly error?: string;
}

const STEPS: readonly Step[] = [
  { agent: 'orchestrator', name: 'handle ticket 4711', from: 0, to: 4200 },
  { agent: 'planner', name: 'message/send plan', parent: 0, from: 40, to: 900 },
  { agent: 'builder', name: 'message/send refund', parent: 0, from: 950, to: 3900 },
  { agent: 'payments', name: 'tools/call charge.lookup', parent: 2, from: 1000, to: 1480 },
  {
    agent: 'payments',
    name: 'tools/call refund.create',
    parent: 2,
    from: 1600,
    to: 2300,
    error: 'Card network timeout',
  },
  { agent: 'payments', name: 'tools/call refund.create (retry)', parent: 2, from: 2500, to: 3700 },
  { agent: 'reviewer', name: 'message/send check', parent: 0, from: 3920, to: 4150 },
];

/** One trace of five agents, sent as any OpenTelemetry exporter sends it. */
export async function seedSpans(
  server: TestServer,
  sessionId = 'ticket-4711',
  minutesAgo = 12,
): Promise<string> {
  const traceId = idOf(sessionId, 32);
  const begin = BigInt(Date.now() - minutesAgo * 60_000) * 1_000_000n;
  const nano = (ms: number) => String(begin + BigInt(ms) * 1_000_000n);
  const spans = STEPS.map((step, index) => ({
    agent: step.agent,
    span: {
      traceId,
      spanId: idOf(`${sessionId}/${index}`, 16),
      ...(step.parent !== undefined && { parentSpanId: idOf(`${sessionId}/${step.parent}`, 16) }),
      name: step.name,
      kind: step.parent === undefined ? 2 : 3,
      startTimeUnixNano: nano(step.from),
      endTimeUnixNano: nano(step.to),
      attributes: [
        text('session.id', sessionId),
        text('agent.id', step.agent),
        text('gen_ai.agent.name', step.agent),
        text('graph.node.id', step.agent),
        ...(step.parent === undefined ? [] : [text('graph.node.parent_id', STEPS[step.parent]?.agent ?? '')]),
      ],
      status: step.error === undefined ? { code: 1 } : { code: 2, message: step.error },
    },
  }));
  const body = {
    resourceSpans: spans.map(({ agent, span }) => ({
      resource: { attributes: [text('service.name', agent)] },
      scopeSpans: [{ scope: { name: 'seed' }, spans: [span] }],
    })),
  };
  const answer = await server.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`spans were refused: ${answer.status} ${await answer.text()}`);
  return traceId;
}

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } };
}

/** Hex of the length asked for, the same for the same name. */
function idOf(name: string, length: number): string {
  let hex = '';
  for (let round = 0; hex.length < length; round += 1) {
    let sum = 2166136261 + round;
    for (const char of name) sum = Math.imul(sum ^ char.charCodeAt(0), 16777619) >>> 0;
    hex += sum.toString(16).padStart(8, '0');
  }
  return hex.slice(0, length);
}
