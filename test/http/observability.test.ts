import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { limitErrors } from '../../src/app/limited-log.ts';
import type { Log } from '../../src/app/log.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Line {
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

function keptLog(): { readonly lines: Line[]; readonly log: Log } {
  const lines: Line[] = [];
  const keep = (fields: object, message: string) => lines.push({ fields: { ...fields }, message });
  return { lines, log: { info: keep, warn: keep, error: keep } };
}

async function families(): Promise<Map<string, string>> {
  const text = await (await server?.fetch('/metrics'))?.text();
  return new Map(
    [...(text ?? '').matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!]),
  );
}

it('metrics tell of requests, the process, the store, the journal, jobs and the inbox', async () => {
  server = await startTestServer();
  await server.client.call('packages.write', { title: 'measured' });
  const first = await (await server.fetch('/metrics')).text();
  const found = await families();
  expect(found.size).toBeGreaterThanOrEqual(22);
  expect(first).toMatch(/^baton_store_operations_total\{kind="unit",outcome="ok"\} [1-9]/m);
  expect(first).toMatch(/^baton_store_wait_seconds_bucket\{kind="read",le="\+Inf"\} [1-9]/m);
  expect(first).toMatch(/^baton_store_commit_units_count [1-9]/m);
  expect(first).toMatch(/^baton_journal_events [1-9]/m);
  expect(first).toMatch(/^baton_store_size_bytes [1-9]\d{4}/m);
  expect(first).toMatch(/^baton_store_up 1$/m);
  // Every line is a sample or a remark, as Prometheus reads them.
  const strange = first
    .trimEnd()
    .split('\n')
    .filter((line) => !/^# (HELP|TYPE) |^[a-z_]+(\{[^}]*\})? -?[\d.e+-]+$/.test(line));
  expect(strange).toEqual([]);
});

it('the dashboard for Grafana asks for metrics that there are', async () => {
  server = await startTestServer();
  const known = await families();
  const { panels } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/\bbaton_[a-z_]+/g)].map(([name]) => name)),
  );
  const unknown = asked.filter((name) => !known.has(name.replace(/_(bucket|sum|count)$/, '')));
  expect(unknown.filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(asked).size).toBeGreaterThan(18);
});

it('the log has a line for every sign-in, and for every request if it is asked for', async () => {
  const { lines, log } = keptLog();
  server = await startTestServer({ logRequests: true }, { log });
  await server.fetch('/v1/projects/default/packages?limit=1', { headers: { 'x-request-id': 'r-1' } });
  await server.fetch('/v1/login', { method: 'POST', body: '{"passphrase":"wrong horse"}' });
  const request = lines.find(({ message }) => message === 'request');
  expect(request?.fields).toMatchObject({ request_id: 'r-1', status: 200 });
  expect(request?.fields.operation).toMatch(/^GET \/v1\/projects\/[{:]/);
  expect(lines.map(({ message }) => message)).toContain('sign-in by passphrase refused');
  expect(JSON.stringify(lines)).not.toContain('wrong horse');
});

it('an error that comes again and again is written ten times a minute, and counted', () => {
  const { lines, log } = keptLog();
  let now = 0;
  const limited = limitErrors(log, () => now);
  const fail = () => limited.error({ error: { name: 'Error', message: 'disk full' } }, 'request failed');
  for (let at = 0; at < 50; at += 1) fail();
  limited.error({ error: { name: 'Error', message: 'another' } }, 'request failed');
  expect(lines).toHaveLength(11);
  now = 61_000;
  fail();
  expect(lines.at(-1)?.fields).toMatchObject({ left_out: 40 });
});

it('a process is alive while it drains, and not ready', async () => {
  server = await startTestServer();
  const statusOf = async (path: string) => (await server?.fetch(path))?.status;
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 200]);
  server.app.draining.abort();
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 503]);
});

it('requests are spans of the caller’s trace, sent to the collector that is set', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  server = await startTestServer({ tracesUrl: `http://127.0.0.1:${port}` });
  const traceId = 'a'.repeat(32);
  await server.fetch('/v1/health', { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
  await server.close();
  server = undefined;
  collector.close();
  const [sent] = bodies.map((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans[0]);
  expect(sent).toMatchObject({ traceId, parentSpanId: 'b'.repeat(16), name: 'GET /v1/health' });
});
