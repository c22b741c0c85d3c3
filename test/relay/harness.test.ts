import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonQuery } from '../../packages/conformance/src/relay/baton-query.ts';
import { type HarnessDeps, runHarness } from '../../packages/conformance/src/relay/harness.ts';
import { otlpSink } from '../../packages/conformance/src/relay/span-sink.ts';
import type { SpanTree, TraceQuery } from '../../packages/conformance/src/relay/trace-query.ts';
import { nodeRandom, systemClock } from '../../src/platform/index.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

let server: TestServer;
let parts: HarnessDeps;
beforeAll(async () => {
  server = await startTestServer();
  const { token = '' } = await server.client.call('keys.create', {
    actor_id: 'tester',
    actor_type: 'agent',
    scopes: ['relay:send', 'trace:read', 'trace:write'],
  });
  const headers = { authorization: `Bearer ${token}` };
  parts = {
    relay: server.url,
    headers: { 'x-baton-key': token },
    sink: otlpSink(server.url, headers),
    query: batonQuery(server.url, headers),
    clock: systemClock,
    random: nodeRandom,
    speaker: 'tester',
    register: async (id, url) => {
      await server.client.call('relay.peer.register', { id, url });
      return async () => void (await server.client.call('relay.peer.remove', { id }));
    },
    timeoutMs: 120_000,
  };
});
afterAll(() => server.close());

/** What is found wrong when the backend answers like this. */
async function foundWith(spoil: Partial<TraceQuery>): Promise<Set<string>> {
  const { passed, examples } = await runHarness({
    ...parts,
    query: { ...parts.query, ...spoil },
  });
  expect(passed).toBe(false);
  return new Set(
    examples.flatMap(({ verdicts }) =>
      verdicts.filter(({ problems }) => problems.length > 0).map(({ name }) => name),
    ),
  );
}

describe('the harness', () => {
  it('finds a relay sound in every respect, and cleans up', async () => {
    const report = await runHarness(parts);
    expect(
      report.examples.flatMap(({ verdicts }) => verdicts.filter(({ problems }) => problems.length > 0)),
    ).toEqual([]);
    expect(report.passed).toBe(true);
    expect(report.examples.map(({ outcome }) => outcome)).toEqual(['completed', 'failed', 'canceled']);
    expect((await server.client.call('relay.peers', { cards: false })).items).toEqual([]);
  });

  it('finds a graph that is broken', async () => {
    const query = parts.query;
    expect(
      await foundWith({
        graph: async (id) => ({ ...(await query.graph(id)), edges: ['relay → relay'] }),
      }),
    ).toEqual(new Set(['graph']));
  });

  it('finds a tree whose branches were cut', async () => {
    const flat = (span: SpanTree): SpanTree[] => [{ ...span, children: [] }, ...span.children.flatMap(flat)];
    expect(await foundWith({ tree: async (id) => (await parts.query.tree(id)).flatMap(flat) })).toEqual(
      new Set(['tree']),
    );
  });

  it('finds a session that lost a trace', async () => {
    expect(await foundWith({ session: async () => ({ traces: 2, spans: 9 }) })).toEqual(new Set(['session']));
    expect(await foundWith({ session: async () => undefined })).toEqual(new Set(['session']));
  });

  it('finds an outcome that is not the true one', async () => {
    const told = await foundWith({
      spans: async (id) =>
        (await parts.query.spans(id)).map((span) => ({
          ...span,
          attributes: { ...span.attributes, 'o2r.task.state': 'completed' },
        })),
    });
    expect(told).toContain('outcome');
  });
});

describe('baton relay harness', () => {
  it('ends with 0 where all holds', async () => {
    const env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken };
    const ran = await runBaton(['relay', 'harness'], { env });
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    expect(ran.stdout).toMatch(/✓ {2}worked example, canceled: 12 of 12 hold/);
    const { keys } = await server.client.call('keys.list', {});
    expect(keys.filter(({ actor_id, revoked_at }) => actor_id.startsWith('harness-') && !revoked_at)).toEqual(
      [],
    );
  });

  it('ends with 1 against a collector that draws the graph wrongly', async () => {
    const wrong = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': request.headers['content-type'] ?? 'application/json',
        },
        ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
      });
      const body = await answer.text();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(request.url?.includes('/graph') ? body.replaceAll('"to":"relay"', '"to":"nobody"') : body);
    });
    const collector = await listenOn(wrong);
    const env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken };
    const ran = await runBaton(['relay', 'harness', '--collector', collector, '--json'], { env });
    expect(ran.code).toBe(1);
    const report = JSON.parse(ran.stdout);
    expect(report.passed).toBe(false);
    expect(JSON.stringify(report)).toContain('an edge');
    await closeServer(wrong);
  });

  it('says that there is nothing to judge where no relay runs', async () => {
    const ran = await runBaton(['relay', 'harness', '--url', 'http://127.0.0.1:9'], {
      env: { BATON_TOKEN: 'x' },
    });
    expect(ran.code).toBe(3);
  });
});
