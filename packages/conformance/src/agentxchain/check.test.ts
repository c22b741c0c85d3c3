import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../../src/platform/testing.ts';
import { execute } from '../../../../src/slices/delivery/conformance/execute.ts';
import { capabilities } from '../../../../src/slices/delivery/conformance/handlers.ts';
import { checkConformance } from './check.ts';
import { EXIT_CODES, reportText } from './report.ts';

const fixture = (id: string, tier: number, expected: object, surface = 'event_lifecycle') => ({
  fixture_id: id,
  tier,
  surface,
  setup: {},
  input: { operation: 'validate_event_ordering', args: { events: [] } },
  expected,
});
const RIGHT = { result: 'error', error_type: 'invalid_events' };

/** What an adapter prints and how it exits, as a program. */
const adapter = (answer: unknown, exit: number) =>
  `process.stdin.resume();process.stdin.on('end',()=>{process.stdout.write(${JSON.stringify(typeof answer === 'string' ? answer : JSON.stringify(answer))});process.exitCode=${exit}})`;

describe('the verifier', () => {
  let root: string;
  let server: Server | undefined;
  const clock = fakeClock();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const target = (script: string, more: object = {}) => {
    write('adapter.cjs', script);
    write(
      '.agentxchain-conformance/capabilities.json',
      JSON.stringify({
        implementation: 'probe',
        protocol_version: 'v7',
        adapter: { protocol: 'stdio-fixture-v1', command: ['node', 'adapter.cjs'] },
        tiers: [1, 2, 3],
        ...more,
      }),
    );
  };
  const corpus = (...fixtures: { fixture_id: string }[]) => {
    for (const each of fixtures) write(`fixtures/${each.fixture_id}.json`, JSON.stringify(each));
  };
  const check = (more: object = {}) =>
    checkConformance({ clock, tier: 3, target: root, fixtures: join(root, 'fixtures'), ...more });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'baton-verifier-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
    server?.close();
    server = undefined;
  });

  it('counts what the adapter answers, by tier and surface', async () => {
    target(adapter({ status: 'pass', message: '', actual: RIGHT }, 0));
    corpus(fixture('A-1', 1, RIGHT), fixture('B-1', 2, RIGHT, 'hook_audit'));
    const report = await check();
    expect(report).toMatchObject({
      implementation: 'probe',
      protocol_version: 'v7',
      tier_requested: 3,
      target_root: root,
      remote: null,
      overall: 'pass',
      results: {
        tier_1: {
          status: 'pass',
          fixtures_run: 1,
          fixtures_passed: 1,
          surfaces: { event_lifecycle: { passed: 1, failed: 0, errored: 0, not_implemented: 0 } },
        },
        tier_2: { fixtures_run: 1 },
        tier_3: { fixtures_run: 0 },
      },
    });
    expect(EXIT_CODES[report.overall]).toBe(0);
    expect(reportText(report)).toContain('tier 1: pass, 1 of 1 pass');
  });

  it('believes a bare pass unless told to be strict', async () => {
    target(adapter({ status: 'pass' }, 0));
    corpus(fixture('A-1', 1, RIGHT));
    expect((await check()).overall).toBe('pass');
    const strict = await check({ strict: true });
    expect(strict.overall).toBe('error');
    expect(strict.results.tier_1?.errors).toMatchObject([
      { fixture_id: 'A-1', message: expect.stringContaining('without showing') },
    ]);
  });

  it('regrades a pass whose evidence says otherwise, when strict', async () => {
    target(adapter({ status: 'pass', actual: { result: 'success' } }, 0));
    corpus(fixture('A-1', 1, RIGHT));
    const report = await check({ strict: true });
    expect(report).toMatchObject({
      overall: 'fail',
      results: { tier_1: { failures: [{ fixture_id: 'A-1', actual: { result: 'success' } }] } },
    });
    expect(EXIT_CODES[report.overall]).toBe(1);
  });

  it.each([
    ['an exit code that disagrees', adapter({ status: 'pass', actual: {} }, 1)],
    ['no JSON', adapter('all good', 0)],
    ['two objects', adapter('{"status":"pass"}\n{"status":"pass"}', 0)],
    ['an unknown status', adapter({ status: 'maybe' }, 0)],
    ['an exit code nobody knows', adapter({ status: 'fail' }, 7)],
  ])('counts %s as an error', async (_what, script) => {
    target(script);
    corpus(fixture('A-1', 1, RIGHT));
    const report = await check();
    expect(report).toMatchObject({ overall: 'error', results: { tier_1: { fixtures_errored: 1 } } });
    expect(EXIT_CODES[report.overall]).toBe(2);
  });

  it('passes what is not implemented, but says so', async () => {
    target(adapter({ status: 'not_implemented', message: 'later' }, 3));
    corpus(fixture('A-1', 1, RIGHT));
    expect(await check()).toMatchObject({
      overall: 'pass',
      results: { tier_1: { fixtures_not_implemented: 1, not_implemented: [{ message: 'later' }] } },
    });
  });

  it('skips tiers that are not claimed', async () => {
    target(adapter({ status: 'fail' }, 1), { tiers: [1] });
    corpus(fixture('B-1', 2, RIGHT));
    expect(await check()).toMatchObject({
      overall: 'pass',
      results: { tier_2: { status: 'skipped', fixtures_run: 0 } },
    });
  });

  it('refuses a surface that is not claimed, and names those that are', async () => {
    target(adapter({ status: 'pass' }, 0), { surfaces: { history: true, coordinator: false } });
    corpus(fixture('A-1', 1, RIGHT));
    await expect(check({ surface: 'coordinator' })).rejects.toMatchObject({
      code: 'surface_unclaimed',
      message: '"coordinator" is not claimed. Claimed are: history.',
    });
  });

  it('refuses a malformed corpus as a whole', async () => {
    target(adapter({ status: 'pass' }, 0));
    corpus(fixture('A-1', 1, RIGHT));
    write('fixtures/broken.json', '{"fixture_id": "X", "tier": 9}');
    await expect(check()).rejects.toMatchObject({ code: 'fixture_malformed' });
    write('fixtures/broken.json', '{');
    await expect(check()).rejects.toMatchObject({ code: 'fixture_malformed' });
  });

  it.each([[{ tier: 4 }], [{ remote: 'http://127.0.0.1:1' }], [{ token: 't' }], [{ timeoutMs: 5 }]])(
    'refuses options that do not go together: %j',
    async (options) => {
      target(adapter({ status: 'pass' }, 0));
      await expect(check(options)).rejects.toMatchObject({ code: 'conformance_options' });
    },
  );

  it('runs the same corpus against an engine behind HTTP', async () => {
    const seen: (string | undefined)[] = [];
    server = createServer(async (request, response) => {
      seen.push(request.headers.authorization);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body =
        request.method === 'GET'
          ? capabilities()
          : await execute(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    corpus(fixture('A-1', 1, RIGHT), fixture('A-2', 1, { result: 'success' }));
    const report = await checkConformance({
      clock,
      tier: 1,
      remote,
      token: 'secret',
      strict: true,
      fixtures: join(root, 'fixtures'),
    });
    expect(report).toMatchObject({
      implementation: 'baton',
      remote,
      target_root: null,
      overall: 'fail',
      results: { tier_1: { fixtures_passed: 1, failures: [{ fixture_id: 'A-2' }] } },
    });
    expect(seen).toEqual(['Bearer secret', 'Bearer secret', 'Bearer secret']);
  });

  it('goes on when a remote stumbles over one fixture, but not when it cannot say what it is', async () => {
    server = createServer((request, response) => {
      const body = request.method === 'GET' ? JSON.stringify(capabilities()) : 'oops';
      response.writeHead(request.method === 'GET' ? 200 : 500).end(body);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    corpus(fixture('A-1', 1, RIGHT), fixture('A-2', 1, RIGHT));
    expect(await checkConformance({ clock, remote, fixtures: join(root, 'fixtures') })).toMatchObject({
      overall: 'error',
      results: { tier_1: { fixtures_errored: 2 } },
    });
    await expect(
      checkConformance({ clock, remote: 'http://127.0.0.1:1', fixtures: join(root, 'fixtures') }),
    ).rejects.toMatchObject({ code: 'capabilities_invalid' });
  });
});
