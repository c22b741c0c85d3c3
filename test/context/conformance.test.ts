import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderReport } from '../../packages/conformance/src/agentic/report.ts';
import { runSuite, type SuiteReport } from '../../packages/conformance/src/agentic/run.ts';
import { httpTarget } from '../../packages/conformance/src/target.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { worldOn } from './world.ts';

describeOnEachEngine('our own server', (open) => {
  const world = worldOn(open);

  it('passes the whole suite at L3, extensions included, without a warning', async () => {
    const { url, ownerToken } = world().server;
    const report = await runSuite({ target: httpTarget(url, ownerToken), level: 'L3', run: 'own' });
    const blemishes = report.results
      .filter(({ outcome }) => outcome !== 'pass')
      .map(({ check, message }) => `${check.id}: ${message}`);
    expect(blemishes).toEqual(['A80: the server is on loopback']);
    expect(report.reached).toBe('L3');
    expect(report.results.length).toBeGreaterThan(75);
  });

  it('passes for the credential of one agent too', async () => {
    const token = await world().token('solo', 'agent');
    const report = await runSuite({
      target: httpTarget(world().server.url, token),
      level: 'L3',
      run: 'solo',
    });
    const failed = report.results.filter(({ outcome }) => outcome === 'fail');
    expect(failed.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  });
});

describe('the command', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await server.close();
  });

  it('exits 0 where the level is reached and prints a report that a machine can read', async () => {
    const ran = await runBaton([
      'conformance',
      'agentic',
      ...['--url', server.url, '--token', server.ownerToken, '--level', 'L3', '--report', 'junit'],
    ]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('<testsuite name="agentic-protocol-0.1"');
    expect(ran.stdout).toContain('failures="0"');
  });
});

/** Stands before a sound server and spoils what it answers. */
interface Fault {
  readonly reply?: (
    path: string,
    status: number,
    headers: Headers,
    text: string,
  ) => { headers: Headers; text: string };
  /** Answers by itself; undefined lets the request through. */
  readonly take?: (
    method: string,
    url: URL,
    body: string,
  ) => Promise<{ status: number; text: string } | undefined>;
}

describe('a broken server', () => {
  let sound: TestServer;
  beforeAll(async () => {
    sound = await startTestServer();
  });
  afterAll(async () => {
    await sound.close();
  });

  async function suiteAgainst(fault: Fault, run: string): Promise<SuiteReport> {
    const proxy = await spoil(sound, fault);
    try {
      const { port } = proxy.address() as AddressInfo;
      return await runSuite({
        target: httpTarget(`http://127.0.0.1:${port}`, sound.ownerToken),
        level: 'L3',
        run,
      });
    } finally {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
  }

  const found = (report: SuiteReport, outcome: string) =>
    report.results.filter((result) => result.outcome === outcome).map(({ check }) => check.id);

  it('is caught where its hashes are wrong: not even L1', async () => {
    const report = await suiteAgainst(
      {
        reply: (_, __, headers, text) => {
          const wrong = new Headers(headers);
          if (headers.has('relay-content-hash')) {
            wrong.set('relay-content-hash', `sha256:${'a'.repeat(64)}`);
            wrong.set('etag', `"sha256:${'a'.repeat(64)}"`);
          }
          return { headers: wrong, text };
        },
      },
      'wrong_hash',
    );
    expect(report).toMatchObject({ reached: 'L0', passed: false });
    expect(found(report, 'fail')).toEqual(expect.arrayContaining(['A20', 'A21', 'A25', 'A28']));
    expect(renderReport(report, 'md')).toContain('| A20 | L1 | MUST |');
  });

  it('is caught where facts are not replaced in one step: L1, not L2', async () => {
    const facts: Record<string, unknown>[] = [];
    const report = await suiteAgainst(
      {
        take: async (method, url, body) => {
          if (method !== 'POST' || !url.pathname.endsWith('/facts')) {
            if (method !== 'GET' || !url.searchParams.get('subject')?.startsWith('crowd')) return undefined;
            return { status: 200, text: JSON.stringify(facts) };
          }
          const given = JSON.parse(body);
          if (given.subject !== 'crowd') return undefined;
          // As if all writers had read before the first of them wrote: none ends what another has begun.
          const now = new Date().toISOString();
          const fact = { ...given, fact_id: `f${facts.length}`, valid_from: now, valid_to: null };
          facts.push(fact);
          return { status: 201, text: JSON.stringify(fact) };
        },
      },
      'not_atomic',
    );
    expect(report.reached).toBe('L1');
    expect(found(report, 'fail')).toEqual(['A63']);
  });

  it('is caught where it shows the drafts of others', async () => {
    const drafts = new Map<string, string>();
    const report = await suiteAgainst(
      {
        take: async (method, url, body) => {
          if (method === 'POST' && url.pathname.endsWith('/packages') && body.includes('"status":"draft"')) {
            drafts.set(url.pathname, body);
          }
          return undefined;
        },
        reply: (path, _, headers, text) => {
          const leak = drafts.get(path.split('?')[0] as string);
          const leaks = leak && path.includes('mode=latest') && text.startsWith('[{');
          return { headers, text: leaks ? `[${leak},${text.slice(1)}` : text };
        },
      },
      'leaks',
    );
    expect(found(report, 'warn')).toContain('A35');
    expect(report.results.find(({ check }) => check.id === 'A35')?.message).toContain(
      "another actor's draft",
    );
  });

  it('is caught where it loses fields, materialises defaults or edits a complete package', async () => {
    const report = await suiteAgainst(
      {
        reply: (path, status, headers, text) => {
          if (status !== 200 || !/^\/v1\/packages\/[^/]+\?/.test(path)) return { headers, text };
          const { later_field: _, ...rest } = JSON.parse(text);
          return { headers, text: JSON.stringify({ significance: 5, ...rest }) };
        },
      },
      'lossy',
    );
    expect(report.reached).toBe(null);
    expect(found(report, 'fail')).toEqual(expect.arrayContaining(['A2', 'A27', 'A73']));
    expect(found(report, 'warn')).toContain('X5');
  });
});

async function spoil(sound: TestServer, fault: Fault): Promise<Server> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      const body = Buffer.concat(pieces).toString('utf8');
      const path = request.url ?? '/';
      const method = request.method ?? 'GET';
      const taken = await fault.take?.(method, new URL(path, sound.url), body);
      if (taken) {
        response.writeHead(taken.status, { 'content-type': 'application/json' }).end(taken.text);
        return;
      }
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) {
        if (name !== 'host' && name !== 'content-length' && name !== 'connection')
          headers.set(name, String(value));
      }
      const answer = await fetch(`${sound.url}${path}`, { method, headers, ...(body !== '' && { body }) });
      const text = await answer.text();
      const spoiled = fault.reply?.(path, answer.status, answer.headers, text) ?? {
        headers: answer.headers,
        text,
      };
      const kept = [...spoiled.headers].filter(
        ([name]) => !/^(content-length|connection|transfer-encoding|keep-alive)$/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(kept)).end(spoiled.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
