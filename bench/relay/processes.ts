/** The server and the peers of the relay's measurement, each in a process of its own, as they are in life. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { closeServer, listenOn, sleep, startSdkPeer } from '../../test/relay/sdk-peer.ts';
import { startTestServer } from '../../test/setup/server.ts';

export const CHUNKS = 5_000;

type Role = 'server' | 'echo' | 'slow' | 'mirror' | 'proxy';

interface Started {
  readonly url: string;
  readonly ownerToken?: string;
}

export interface Running extends Started {
  /** How much memory its process has. */
  rss(): Promise<number>;
  /** Processor time that it has used so far, in milliseconds. */
  cpu(): Promise<number>;
  /** How long its event loop was held up since the last time it was asked, beyond its timer's own step. */
  loop(): Promise<LoopDelay>;
  stop(): Promise<void>;
}

export interface LoopDelay {
  readonly p99: number;
  readonly max: number;
  /**
   * The most processor time of its own thread between two steps of a timer: what is left of `max` where other programs
   * take turns with it. Undefined where the system does not tell.
   */
  readonly own: number | undefined;
}

const ROLE = 'BENCH_RELAY_ROLE';
const DATA_DIR = 'BENCH_RELAY_DATA';
const TARGET = 'BENCH_RELAY_TARGET';

interface RoleOptions {
  readonly dataDir?: string;
  /** What a proxy stands before. */
  readonly target?: string;
}

/** As `npm start`, the image and the service unit run a server; all processes alike. */
const AS_SERVED = '--max-semi-space-size=64';

/** Runs the same bundle again in another process; `BENCH_PROFILE` names a folder for the server's CPU profile. */
export async function startRole(
  bundle: string,
  role: Role,
  { dataDir, target }: RoleOptions = {},
): Promise<Running> {
  const profile = role === 'server' ? process.env.BENCH_PROFILE : undefined;
  const child = fork(bundle, [], {
    env: {
      ...process.env,
      [ROLE]: role,
      ...(dataDir && { [DATA_DIR]: dataDir }),
      ...(target && { [TARGET]: target }),
    },
    execArgv: [AS_SERVED, ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])],
  });
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Started));
    child.once('exit', () => reject(new Error(`the ${role} did not start`)));
  });
  return {
    ...started,
    rss: async () => Number(await asked(child, 'rss')),
    cpu: async () => Number(await asked(child, 'cpu')),
    loop: async () => (await asked(child, 'loop')) as LoopDelay,
    stop: () => stopped(child),
  };
}

function asked(child: ChildProcess, question: 'rss' | 'cpu' | 'loop'): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send(question);
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.send('stop');
  await exit;
}

/** Answers false in the process that measures. */
export async function playRole(): Promise<boolean> {
  const role = process.env[ROLE] as Role | undefined;
  if (role === undefined) return false;
  const { close, ...started } = await PLAY[role]();
  process.send?.(started);
  const delay = monitorEventLoopDelay({ resolution: LOOP_STEP_MS });
  delay.enable();
  const own = watchOwnTurns();
  await new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === 'rss') process.send?.(process.memoryUsage.rss());
      else if (message === 'cpu') {
        const { user, system } = process.cpuUsage();
        process.send?.((user + system) / 1000);
      } else if (message === 'loop') {
        const [p99, max] = [delay.percentile(99), delay.max].map((ns) => ns / 1e6 - LOOP_STEP_MS);
        process.send?.({ p99, max, own: own() });
        delay.reset();
      } else resolve();
    });
  });
  await close();
  process.exit(0);
}

const LOOP_STEP_MS = 5;

/** Answers the most since it was asked the last time. */
function watchOwnTurns(): () => number | undefined {
  const used = ownProcessorMs();
  if (used === undefined) return () => undefined;
  let [last, most] = [used, 0];
  setInterval(() => {
    const now = ownProcessorMs() ?? last;
    most = Math.max(most, now - last);
    last = now;
  }, LOOP_STEP_MS).unref();
  return () => {
    const longest = most;
    most = 0;
    return longest;
  };
}

/** Of the main thread, whose number is the process's; Linux alone tells. */
function ownProcessorMs(): number | undefined {
  try {
    const [ns] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ns) / 1e6;
  } catch {
    return undefined;
  }
}

const PLAY: Record<Role, () => Promise<Started & { close(): Promise<void> }>> = {
  async server() {
    const dataDir = process.env[DATA_DIR];
    const { url, ownerToken, close } = await startTestServer(dataDir ? { dataDir } : {});
    return { url, ownerToken, close };
  },
  async echo() {
    const { url, close } = await startSdkPeer('0.3');
    return { url, close };
  },
  async mirror() {
    const server = mirrorPeer();
    return { url: await listenOn(server), close: () => closeServer(server) };
  },
  /** The least that stands between two: what a relay that does nothing else would cost. */
  async proxy() {
    const { default: httpProxy } = await import('http-proxy');
    const target = process.env[TARGET] ?? '';
    const proxy = httpProxy.createProxyServer({ target, agent: new Agent({ keepAlive: true }) });
    const server = createServer((request, response) =>
      proxy.web(request, response, {}, () => response.writeHead(502).end()),
    );
    return { url: await listenOn(server), close: () => closeServer(server) };
  },
  async slow() {
    const server = slowPeer();
    return { url: await listenOn(server), close: () => closeServer(server) };
  },
};

/** A peer that says all of what it was told, whole or in pieces. */
function mirrorPeer() {
  return createServer(async (request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end();
    const bytes: Buffer[] = [];
    for await (const piece of request) bytes.push(piece as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(bytes).toString());
    const { contextId, parts } = params.message;
    const result = (more: object) => JSON.stringify({ jsonrpc: '2.0', id, result: { contextId, ...more } });
    if (method === 'message/send') {
      const artifacts = [{ artifactId: 'a', parts }];
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(result({ kind: 'task', id: 'm', status: { state: 'completed' }, artifacts }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = String(parts[0].text);
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const piece = [{ kind: 'text', text: text.slice(at, at + PIECE_CHARS) }];
      const artifact = { artifactId: 'a', parts: piece };
      response.write(
        `data: ${result({ kind: 'artifact-update', taskId: 'm', append: at > 0, artifact })}\n\n`,
      );
    }
    const ending = { kind: 'status-update', taskId: 'm', status: { state: 'completed' }, final: true };
    return response.end(`data: ${result(ending)}\n\n`);
  });
}

const PIECE_CHARS = 50_000;

/** A peer that answers after a second, or streams thousands of pieces. */
function slowPeer() {
  return createServer(async (request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end();
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body);
    const frame = (result: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    if (method === 'message/send') {
      await sleep(1_000);
      const result = { kind: 'task', id: 't', contextId: 'bench', status: { state: 'completed' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    const of = { taskId: 'chunks', contextId: 'bench-chunks' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    frame({ kind: 'task', id: 'chunks', contextId: of.contextId, status: { state: 'submitted' } });
    frame({ kind: 'status-update', ...of, status: { state: 'working' }, final: false });
    for (let i = 0; i < CHUNKS; i += 1) {
      const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: `${i} ` }] };
      frame({ kind: 'artifact-update', ...of, append: i > 0, artifact });
    }
    frame({ kind: 'status-update', ...of, status: { state: 'completed' }, final: true });
    return response.end();
  });
}
