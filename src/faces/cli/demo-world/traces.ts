import { randomBytes } from 'node:crypto';
import type { World } from './world.ts';

type Value = { readonly stringValue: string } | { readonly intValue: string };
interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface Span {
  readonly agent: string;
  readonly name: string;
  readonly parent?: number;
  /** Seconds after the trace began. */
  readonly from: number;
  readonly to: number;
  readonly attributes?: readonly Attribute[];
  readonly error?: string;
}

const text = (key: string, stringValue: string): Attribute => ({ key, value: { stringValue } });
const count = (key: string, n: number): Attribute => ({ key, value: { intValue: String(n) } });
const model = (name: string, input: number, output: number) => [
  text('gen_ai.operation.name', 'chat'),
  text('gen_ai.request.model', name),
  count('gen_ai.usage.input_tokens', input),
  count('gen_ai.usage.output_tokens', output),
];
const tool = (name: string) => [
  text('gen_ai.operation.name', 'execute_tool'),
  text('gen_ai.tool.name', name),
];

interface Story {
  readonly session: string;
  readonly hoursAgo: number;
  readonly spans: readonly Span[];
}

/** One agent that thinks, uses a tool, asks another one, and thinks again. */
function story(
  session: string,
  hoursAgo: number,
  [question, answer]: readonly [question: string, answer: string],
  size: number,
  error?: string,
): Story {
  const end = 20 + size * 6;
  return {
    session,
    hoursAgo,
    spans: [
      {
        agent: 'coral-heron',
        name: 'invoke_agent coral-heron',
        from: 0,
        to: end,
        attributes: [
          text('gen_ai.operation.name', 'invoke_agent'),
          text('input.value', question),
          text('output.value', answer),
        ],
      },
      {
        agent: 'coral-heron',
        name: 'chat claude-sonnet-4-5',
        parent: 0,
        from: 0.2,
        to: 4 + size,
        attributes: model('claude-sonnet-4-5', 1_800 + size * 700, 300 + size * 90),
      },
      {
        agent: 'coral-heron',
        name: 'execute_tool npm test',
        parent: 0,
        from: 5 + size,
        to: 11 + size,
        attributes: tool('npm test'),
      },
      {
        agent: 'teal-otter',
        name: 'invoke_agent teal-otter',
        parent: 0,
        from: 12 + size,
        to: end - 3,
        attributes: [text('gen_ai.operation.name', 'invoke_agent')],
      },
      {
        agent: 'teal-otter',
        name: 'chat gpt-5-mini',
        parent: 3,
        from: 12.3 + size,
        to: 14 + size,
        attributes: model('gpt-5-mini', 900 + size * 200, 80 + size * 20),
      },
      {
        agent: 'teal-otter',
        name: 'execute_tool load.run',
        parent: 3,
        from: 14.2 + size,
        to: end - 4,
        attributes: tool('load.run'),
        ...(error !== undefined && { error }),
      },
      {
        agent: 'coral-heron',
        name: 'chat claude-sonnet-4-5',
        parent: 0,
        from: end - 2.5,
        to: end - 0.2,
        attributes: model('claude-sonnet-4-5', 2_600 + size * 500, 420),
      },
    ],
  };
}

const STORIES: readonly Story[] = [
  story(
    'github:octo/webshop#3',
    150,
    [
      'Why is the nightly import slow?',
      'It reads every product **twice**: once for prices, once for stock. One query for both takes `4 min` instead of `11 min`.',
    ],
    4,
  ),
  story(
    'github:octo/webshop#4',
    121,
    [
      'Compare three designs for idempotent payments.',
      'I compared a key of the client, a hash of the cart, and a lock per order:\n\n- only the **key of the client** survives a retry after a restart\n- a hash charges once for two equal orders',
    ],
    7,
  ),
  story(
    'github:octo/webshop#5',
    97,
    [
      'Build the endpoint that we agreed on.',
      '`POST /payments` is built. A crash test kills it between the two writes, 400 times.',
    ],
    9,
  ),
  story(
    'github:octo/webshop#6',
    75,
    ['Run the load test against staging.', 'It stopped at 460 requests/s: the connection pool is exhausted.'],
    6,
    'Connection pool exhausted at 460 requests/s',
  ),
  story(
    'github:octo/webshop#6',
    52,
    ['Run it again with 40 connections.', '450 requests/s hold for ten minutes; p99 is 180 ms.'],
    6,
  ),
  story(
    'github:octo/webshop#7',
    27,
    ['Give refunds keys of their own.', 'Done. A refund and its payment no longer share a key.'],
    5,
  ),
  story(
    'github:octo/webshop#9',
    4,
    [
      'Prepare the roll-out to 10%.',
      'The flag `payments.v2` is ready, and the runbook says how to take it back.',
    ],
    3,
  ),
  story(
    'github:octo/webshop#9',
    0.4,
    [
      'Watch the first hour of the roll-out.',
      'I stopped after 40 minutes: `load.run` failed, and **40% of the error budget** is used up. Raise the flag again once the pool is larger.',
    ],
    8,
    'Error budget of checkout is used up by 40%',
  ),
];

/** Traces of a week with models, tokens and prices, sent as any OpenTelemetry exporter sends them. */
export async function sendTraces(world: World): Promise<void> {
  const project = world.project('webshop');
  for (const [name, input, output] of [
    ['claude-*', 3, 15],
    ['gpt-5-mini', 0.25, 2],
  ] as const) {
    await world.owner.ask('relay.price.set', { project, model: name, input, output });
  }
  const { token } = await world.script('collector', 'webshop', ['trace:write']);
  for (const each of STORIES) {
    const response = await fetch(`${world.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(exportOf(world, each)),
    });
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
  }
}

function exportOf({ now }: World, { session, hoursAgo, spans }: Story) {
  const traceId = randomBytes(16).toString('hex');
  const ids = spans.map(() => randomBytes(8).toString('hex'));
  const begin = now - hoursAgo * 3_600_000;
  const nano = (seconds: number) => `${Math.round(begin + seconds * 1000)}000000`;
  return {
    resourceSpans: spans.map((span, at) => ({
      resource: { attributes: [text('service.name', span.agent)] },
      scopeSpans: [
        {
          scope: { name: 'baton-demo' },
          spans: [
            {
              traceId,
              spanId: ids[at],
              ...(span.parent !== undefined && { parentSpanId: ids[span.parent] }),
              name: span.name,
              kind: 1,
              startTimeUnixNano: nano(span.from),
              endTimeUnixNano: nano(span.to),
              attributes: [
                text('session.id', session),
                text('gen_ai.agent.name', span.agent),
                text('graph.node.id', span.agent),
                ...(span.parent === undefined
                  ? []
                  : [text('graph.node.parent_id', spans[span.parent]?.agent ?? '')]),
                ...(span.attributes ?? []),
              ],
              status: span.error === undefined ? { code: 1 } : { code: 2, message: span.error },
            },
          ],
        },
      ],
    })),
  };
}
