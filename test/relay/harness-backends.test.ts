import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackendName } from '../../packages/conformance/src/relay/backend.ts';
import { openBackend } from '../../packages/conformance/src/relay/known-backends.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { startPhoenix, startTempo, type TraceBackend } from './trace-backends.ts';

const STAND_INS: [string, BackendName, () => Promise<TraceBackend>][] = [
  ['Tempo', 'tempo', startTempo],
  ['Phoenix', 'phoenix', () => startPhoenix(['attribute', 'trace_id'])],
  ['a Phoenix that knows no filters', 'phoenix', () => startPhoenix([])],
];

describe.each(STAND_INS)('the harness against what answers like %s', (_, name, start) => {
  let backend: TraceBackend;
  let server: TestServer;
  let dataDir: string;
  beforeAll(async () => {
    backend = await start();
    dataDir = await mkdtemp(join(tmpdir(), 'baton-backend-'));
    await writeFile(
      join(dataDir, 'relay.json'),
      JSON.stringify({ OTEL_EXPORTER_OTLP_ENDPOINT: backend.url }),
    );
    server = await startTestServer({ dataDir });
  });
  afterAll(async () => {
    await server.close();
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const harness = (...more: string[]) =>
    runBaton(
      ['relay', 'harness', '--backend', name, '--collector', backend.url, '--query', backend.url, ...more],
      { env: { BATON_URL: server.url, BATON_TOKEN: server.ownerToken } },
    );

  it('finds a sound relay sound, and shows the backend no key of ours', async () => {
    const ran = await harness();
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    expect(ran.stdout).toMatch(/✓ {2}worked example, canceled: 12 of 12 hold/);
    expect(new Set(backend.shown)).toEqual(new Set([undefined]));
  });

  // How a key is sent is the same code for all of them.
  if (name === 'tempo') {
    it('shows the backend the key that is meant for it', async () => {
      await harness('--collector-token', 'for-the-backend');
      expect(backend.shown).toContain('Bearer for-the-backend');
    });
  }

  it('finds what the backend lost', async () => {
    backend.losing.add('a2a.relay.forward');
    const ran = await harness('--timeout', '0.5', '--json');
    backend.losing.clear();
    expect(ran.code).toBe(1);
    const { examples } = JSON.parse(ran.stdout);
    const wrong = examples[0].verdicts.filter(
      (verdict: { problems: string[] }) => verdict.problems.length > 0,
    );
    expect(wrong.map((verdict: { name: string }) => verdict.name)).toEqual(
      expect.arrayContaining(['session', 'tree']),
    );
  });

  it('reads every kind of value as it was sent, and ids that begin with zeros', async () => {
    const place = { collector: backend.url, asked: undefined, project: undefined, headers: {}, since: 0 };
    const { sink, query } = openBackend(name, { ...place, asked: backend.url });
    const span = {
      name: 'of a test',
      kind: 'server',
      traceId: `00${'ab'.repeat(15)}`,
      spanId: `0${'c'.repeat(15)}`,
      start: 1_790_000_000_123_456,
      end: 1_790_000_001_000_000,
      failure: 'it broke',
      attributes: { 'session.id': 'of-a-test', count: 300, yes: true, no: false, text: 'é' },
    } as const;
    await sink.send([span]);
    expect(await query.spans('of-a-test')).toEqual([
      {
        trace_id: span.traceId,
        span_id: span.spanId,
        parent_span_id: null,
        name: 'of a test',
        start: '2026-09-21T14:13:20.123456Z',
        end: '2026-09-21T14:13:21.000000Z',
        status: 'error',
        status_message: 'it broke',
        attributes: expect.objectContaining(span.attributes),
        events: [],
      },
    ]);
    expect(await query.session('of nobody')).toBeUndefined();
    expect(await query.tree(span.traceId)).toMatchObject([{ span_id: span.spanId, children: [] }]);
  });
});
