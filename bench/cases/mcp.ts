import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openApp } from '../../src/app/compose.ts';
import { serveApp } from '../../src/app/serve.ts';
import { readSettings } from '../../src/app/settings.ts';
import type { BenchCase, Comparison, Side } from '../harness.ts';

/** The bundle of a case stands as deep in the checkout as this file. */
const BENCH = join(dirname(fileURLToPath(import.meta.url)), '..');
const ROOT = join(BENCH, '..');
const BATON = join(ROOT, 'dist', 'baton.js');
const MEMORY = join(BENCH, 'node_modules', '@modelcontextprotocol', 'server-memory', 'dist', 'index.js');
const REVISION = '2025-11-25';
/** So many that one key is not limited: a fast machine would reach that with more. */
const COUNT = Number(process.env.BENCH_MCP_COUNT ?? 400);

interface Target {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The same operation by its tool and by its route. */
interface Pair {
  readonly title: string;
  readonly tool: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  readonly route: { readonly method: string; readonly path: string; readonly body?: string };
}

const PAIRS: readonly Pair[] = [
  {
    title: 'facts are read',
    tool: { name: 'facts', arguments: { action: 'query', limit: 5 } },
    route: { method: 'GET', path: '/v1/facts?limit=5' },
  },
  {
    title: 'a fact is stated',
    tool: {
      name: 'facts',
      arguments: { action: 'assert', subject: 'bench {n}', predicate: 'is', value: 'so' },
    },
    route: {
      method: 'POST',
      path: '/v1/facts',
      body: JSON.stringify({ subject: 'bench {n}', predicate: 'is', value: 'so' }),
    },
  },
];

const messageOf = (id: number, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
const INITIALIZE = messageOf(1, 'initialize', {
  protocolVersion: REVISION,
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
});

/** As a client of the 2025 revisions goes on after it has initialized. */
async function mcpHeaders(url: string, authorization: string): Promise<Record<string, string>> {
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: INITIALIZE });
  const session = response.headers.get('mcp-session-id');
  await response.text();
  if (!response.ok || session === null) throw new Error(`initialize answered ${response.status}`);
  return { ...headers, 'mcp-protocol-version': REVISION, 'mcp-session-id': session };
}

function side(children: ChildProcess, target: Target, clients: number): Side {
  return async () => {
    children.send({ ...target, clients, count: COUNT });
    await once(children, 'message');
    return COUNT;
  };
}

const twice = {
  text: 'by MCP at most 2 times as long as over HTTP',
  met: (rates: Readonly<Record<string, number>>) => (rates.MCP ?? 0) * 2 >= (rates.HTTP ?? Number.NaN),
};

/** Starts a server on standard input and output, and ends it when it has listed its tools. */
function startOf(script: string, args: readonly string[], env: Readonly<Record<string, string>>): Side {
  return async () => {
    const child = spawn(process.execPath, [script, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(`${INITIALIZE}\n`);
    let listed = false;
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { tools?: unknown[] } };
      if (id === 1) {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
        child.stdin.write(`${messageOf(2, 'tools/list')}\n`);
      } else if (id === 2) {
        listed = (result?.tools?.length ?? 0) > 0;
        break;
      }
    }
    if (!listed) throw new Error(`${script} listed no tools`);
    child.kill('SIGKILL');
    return 1;
  };
}

function built(): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}

export const benchCase: BenchCase = {
  name: 'mcp',
  title: 'MCP: the same operation by its tool and by its route; time to the list of tools',
  async prepare() {
    built();
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-bench-mcp-'));
    const settings = readSettings({ BATON_DATA: dataDir, BATON_PORT: '0' });
    const app = await openApp(settings);
    const server = await serveApp(app, settings);
    const authorization = `Bearer ${(await readFile(join(dataDir, 'owner.key'), 'utf8')).trim()}`;
    const headers = await mcpHeaders(server.url, authorization);
    const children = fork(join(BENCH, 'mcp', 'clients.mjs'));
    children.on(
      'exit',
      (code) => code && children.emit('error', new Error(`the clients ended with ${code}`)),
    );

    const served = PAIRS.flatMap(({ title, tool, route }): Comparison[] => {
      const mcp = {
        url: `${server.url}/mcp`,
        method: 'POST',
        headers,
        body: messageOf(7, 'tools/call', tool),
      };
      const http = {
        url: `${server.url}${route.path}`,
        method: route.method,
        headers: { authorization, ...(route.body && { 'content-type': 'application/json' }) },
        ...(route.body && { body: route.body }),
      };
      return [1, 8].map((clients) => ({
        title: `${title}, ${clients === 1 ? 'one request at a time' : `${clients} at a time`}`,
        unit: 'request',
        sides: { MCP: side(children, mcp, clients), HTTP: side(children, http, clients) },
        goals: [twice],
        rounds: 7,
      }));
    });
    const stdioDir = await mkdtemp(join(tmpdir(), 'baton-bench-stdio-'));
    const started: Comparison = {
      title: 'standard input and output: from the start to the list of tools',
      unit: 'start',
      sides: {
        'baton mcp': startOf(BATON, ['mcp'], { BATON_DATA: stdioDir }),
        'server-memory': startOf(MEMORY, [], { MEMORY_FILE_PATH: join(stdioDir, 'memory.json') }),
      },
      goals: [
        {
          text: 'at most 1.3 times as long as @modelcontextprotocol/server-memory',
          met: (rates) => (rates['baton mcp'] ?? 0) * 1.3 >= (rates['server-memory'] ?? Number.NaN),
        },
      ],
      rounds: 15,
    };
    return {
      comparisons: [...served, started],
      async close() {
        children.kill();
        await server.close();
        for (const folder of [dataDir, stdioDir]) await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
