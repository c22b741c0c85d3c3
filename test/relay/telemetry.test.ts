import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportRequestFields, logsRequestFields } from '../../src/slices/relay/otlp/fields.ts';
import { toKeyValues } from '../../src/slices/relay/otlp/model.ts';
import { encodeMessage } from '../../src/slices/relay/otlp/protobuf-writer.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

const NOW = BigInt(Date.now() - 3_600_000) * 1_000_000n;
const json = { 'content-type': 'application/json' };
const post = (path: string, body: unknown) =>
  server.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });

const logs = (service: string, events: readonly [string, Parameters<typeof toKeyValues>[0]][]) => ({
  resourceLogs: [
    {
      resource: { attributes: toKeyValues({ 'service.name': service }) },
      scopeLogs: [
        {
          logRecords: events.map(([name, attributes], at) => ({
            timeUnixNano: String(NOW + BigInt(at) * 1_000_000_000n),
            body: { stringValue: name },
            attributes: toKeyValues(attributes),
          })),
        },
      ],
    },
  ],
});

const CLAUDE = logs('claude-code', [
  ['claude_code.user_prompt', { 'session.id': 'c1', prompt: 'Rename the zebra function', 'prompt.id': 'p1' }],
  [
    'claude_code.api_request',
    {
      ...{ 'session.id': 'c1', 'prompt.id': 'p1', model: 'claude-x', cost_usd: '0.25', duration_ms: '1200' },
      ...{ input_tokens: '10', output_tokens: '20', cache_read_tokens: '100', cache_creation_tokens: '5' },
    },
  ],
  [
    'claude_code.tool_result',
    {
      'session.id': 'c1',
      'prompt.id': 'p1',
      tool_name: 'Bash',
      success: 'false',
      error: 'exit 1',
      duration_ms: '30',
    },
  ],
]);

describe('events and counters of coding agents', () => {
  it('become spans of their session: what was asked, what it cost, what failed; each once', async () => {
    for (let time = 0; time < 2; time += 1) expect((await post('/v1/logs', CLAUDE)).status).toBe(200);
    const session = await server.client.call('relay.session', { session_id: 'c1' });
    expect(session).toMatchObject({
      ...{ traces: 1, spans: 3, errors: 1, agents: ['claude-code'] },
      usage: {
        input_tokens: 115,
        output_tokens: 20,
        cache_read_tokens: 100,
        cost_usd: 0.25,
        unpriced_tokens: 0,
      },
      failures: [{ kind: 'tool', status_message: 'exit 1' }],
    });
    const { items } = await server.client.call('relay.conversation', { session_id: 'c1' });
    expect(items).toMatchObject([{ from: 'user', to: 'claude-code', text: 'Rename the zebra function' }]);
    const tools = await server.client.call('relay.stats', { by: 'tool' });
    expect(tools.items).toMatchObject([{ key: 'Bash', errors: 1 }]);
  });

  it('are read from protobuf too, and Codex tells its tokens when a response is complete', async () => {
    const codex = logs('codex_cli_rs', [
      ['', { 'event.name': 'codex.sse_event', 'conversation.id': 'x1', 'event.kind': 'response.delta' }],
      [
        '',
        {
          ...{ 'event.name': 'codex.sse_event', 'conversation.id': 'x1', 'event.kind': 'response.completed' },
          ...{ model: 'gpt-x', input_token_count: 50, output_token_count: 7, cached_token_count: 40 },
        },
      ],
    ]);
    const sent = await server.fetch('/v1/logs', {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf' },
      body: encodeMessage(logsRequestFields, codex) as never,
    });
    expect(sent.status).toBe(200);
    expect(await server.client.call('relay.session', { session_id: 'x1' })).toMatchObject({
      spans: 1,
      usage: { input_tokens: 50, output_tokens: 7, cache_read_tokens: 40 },
    });
  });

  it('count on: a delta is added, a point that comes twice is not, a total replaces', async () => {
    const metrics = (time: bigint, temporality: number, value: number) => ({
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'claude_code.cost.usage',
                  sum: {
                    aggregationTemporality: temporality,
                    dataPoints: [
                      {
                        timeUnixNano: String(time),
                        asDouble: value,
                        attributes: toKeyValues({
                          'session.id': 'c1',
                          model: 'claude-x',
                          'user.email': 'a@b.c',
                        }),
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    for (const time of [NOW, NOW, NOW + 1_000_000n]) await post('/v1/metrics', metrics(time, 1, 0.5));
    const reported = async () => (await server.client.call('relay.session', { session_id: 'c1' })).reported;
    expect(await reported()).toEqual([
      {
        client: 'claude-code',
        metric: 'claude_code.cost.usage',
        attributes: { model: 'claude-x' },
        value: 1,
      },
    ]);
    await post('/v1/metrics', metrics(NOW + 9_000_000n, 2, 7));
    expect(await reported()).toMatchObject([{ value: 7 }]);
  });

  it('of others are refused with a reason; among known ones they are counted', async () => {
    const strange = logs('nginx', [['access', {}]]);
    const alone = await post('/v1/logs', strange);
    expect([alone.status, ((await alone.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('Claude Code and Codex'),
    ]);
    const both = await post('/v1/logs', { resourceLogs: [...CLAUDE.resourceLogs, ...strange.resourceLogs] });
    expect(await both.json()).toMatchObject({ partialSuccess: { rejectedLogRecords: '1' } });
    const metric = {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'http.requests', sum: {} }] }] }],
    };
    expect((await post('/v1/metrics', metric)).status).toBe(400);
    expect((await post('/v1/logs', { resourceLogs: 'x' })).status).toBe(200);
  });

  it('are of the project of their key, like everything', async () => {
    await server.client.call('projects.create', { project_id: 'elsewhere', name: 'Elsewhere' } as never);
    const asked = server.client.call('relay.session', { session_id: 'c1', project: 'elsewhere' });
    await expect(asked).rejects.toMatchObject({ code: 'relay_session_not_found' });
  });
});

it('takes ten megabytes of small spans in one request', async () => {
  const attributes = toKeyValues(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`key.${at}`, `some text of a length ${at}`])),
  );
  const spans = Array.from({ length: 4_200 }, (_, at) => ({
    traceId: 'e'.repeat(32),
    spanId: (at + 1).toString(16).padStart(16, '0'),
    name: 'small',
    kind: 1,
    startTimeUnixNano: String(NOW),
    endTimeUnixNano: String(NOW + 1000n),
    attributes,
  }));
  const body = encodeMessage(exportRequestFields, { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  expect(body.length).toBeGreaterThan(9e6);
  const sent = server.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: body.slice() as never,
  });
  expect((await sent).status).toBe(200);
}, 120_000);
