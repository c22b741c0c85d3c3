import { randomBytes } from 'node:crypto';
import type { TestServer } from '../../setup/server.ts';

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
};

interface Step {
  readonly agent: string;
  readonly name: string;
  readonly parent?: number;
  readonly from: number;
  readonly to: number;
  readonly attributes?: readonly Attribute[];
  readonly error?: string;
}

const text = (key: string, stringValue: string): Attribute => ({ key, value: { stringValue } });
const count = (key: string, n: number): Attribute => ({ key, value: { intValue: String(n) } });
const operation = (name: string) => text('gen_ai.operation.name', name);
const model = (name: string, input: number, output: number) => [
  operation('chat'),
  text('gen_ai.request.model', name),
  count('gen_ai.usage.input_tokens', input),
  count('gen_ai.usage.output_tokens', output),
];
const tool = (name: string) => [operation('execute_tool'), text('gen_ai.tool.name', name)];

const MOST_IN_ONE = 500;

/** Two traces of one session with words, models, tools and a price; the later one fails, and may be long. */
export async function seedConversation(server: TestServer, session: string, more = 0): Promise<void> {
  await server.client.call('relay.price.set', { model: 'claude-*', input: 3, output: 12 });
  await send(server, session, 30, steps(false, 0));
  await send(server, session, 5, steps(true, more));
}

function steps(fails: boolean, more: number): Step[] {
  return [
    {
      agent: 'coral-heron',
      name: 'invoke_agent coral-heron',
      from: 0,
      to: 62_000,
      attributes: [
        operation('invoke_agent'),
        text('input.value', 'Order `10482` was refunded twice. Find out why and **fix it**.'),
      ],
    },
    {
      agent: 'coral-heron',
      name: 'chat claude-sonnet-4-5',
      parent: 0,
      from: 100,
      to: 3_000,
      attributes: model('claude-sonnet-4-5', 2_100, 530),
    },
    {
      agent: 'coral-heron',
      name: 'execute_tool npm test',
      parent: 0,
      from: 13_000,
      to: 21_000,
      attributes: tool('npm test'),
    },
    {
      agent: 'refund-bot',
      name: 'message/send',
      parent: 0,
      from: 30_000,
      to: 41_000,
      attributes: [operation('invoke_agent')],
    },
    {
      agent: 'refund-bot',
      name: 'execute_tool stripe.refunds.cancel',
      parent: 3,
      from: 31_000,
      to: 33_000,
      attributes: tool('stripe.refunds.cancel'),
      ...(fails && { error: '400: the refund has already succeeded' }),
    },
    {
      agent: 'refund-bot',
      name: 'chat gpt-5-mini',
      parent: 3,
      from: 34_000,
      to: 39_000,
      attributes: model('gpt-5-mini', 900, 80),
    },
    ...Array.from({ length: more }, (_, at) => ({
      agent: 'coral-heron',
      name: `execute_tool step ${at}`,
      parent: 0,
      from: 42_000 + at * 10,
      to: 42_005 + at * 10,
      attributes: tool('step'),
    })),
  ];
}

async function send(
  server: TestServer,
  session: string,
  minutesAgo: number,
  all: readonly Step[],
): Promise<void> {
  const traceId = randomBytes(16).toString('hex');
  const ids = all.map(() => randomBytes(8).toString('hex'));
  const begin = BigInt(Date.now() - minutesAgo * 60_000) * 1_000_000n;
  const nano = (ms: number) => String(begin + BigInt(ms) * 1_000_000n);
  const spans = all.map((step, at) => ({
    resource: { attributes: [text('service.name', step.agent)] },
    scopeSpans: [
      {
        scope: { name: 'seed' },
        spans: [
          {
            traceId,
            spanId: ids[at],
            ...(step.parent !== undefined && { parentSpanId: ids[step.parent] }),
            name: step.name,
            kind: 1,
            startTimeUnixNano: nano(step.from),
            endTimeUnixNano: nano(step.to),
            attributes: [
              text('session.id', session),
              text('gen_ai.agent.name', step.agent),
              text('graph.node.id', step.agent),
              ...(step.parent === undefined
                ? []
                : [text('graph.node.parent_id', all[step.parent]?.agent ?? '')]),
              ...(step.attributes ?? []),
            ],
            status: step.error === undefined ? { code: 1 } : { code: 2, message: step.error },
          },
        ],
      },
    ],
  }));
  for (let from = 0; from < spans.length; from += MOST_IN_ONE) {
    const answer = await server.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: spans.slice(from, from + MOST_IN_ONE) }),
    });
    if (!answer.ok) throw new Error(`spans were refused: ${answer.status} ${await answer.text()}`);
  }
}
