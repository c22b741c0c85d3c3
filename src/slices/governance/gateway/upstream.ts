import { inline } from '../../../kernel/quoted.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import { governanceErrors } from '../errors.ts';
import type { UpstreamConfig } from './config.ts';
import { type Params, type RequestOptions, Rpc, RpcError, type RpcHandlers, RpcLost } from './rpc.ts';
import { type UpstreamWire, upstreamWire } from './upstream-wire.ts';

export interface UpstreamEvents extends Pick<RpcHandlers, 'request' | 'notification'> {
  /** It answers, for the first time or again. */
  up(): void;
  /** It has stopped answering, and is started again. */
  down(): void;
  /** What its process writes to standard error. */
  stderr(text: string): void;
}

type Capabilities = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** `npx` may have to download the server first. */
const INITIALIZE_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Whoever ran for this long has earned a quick restart. */
const STEADY_MS = 60_000;

/**
 * One client's connection to one MCP server. It is made again by itself, with growing pauses, whatever becomes of the
 * others: a server that ends or cannot start is unavailable meanwhile, and says so to whoever calls it.
 */
export class Upstream {
  readonly name: string;
  readonly #config: UpstreamConfig;
  readonly #hello: Params;
  readonly #events: UpstreamEvents;
  readonly #stop = new AbortController();
  #rpc: Rpc | undefined;
  #lost: (why: string) => void = () => undefined;
  #running: Promise<void> | undefined;
  #decided: () => void = () => undefined;
  readonly #firstTry = new Promise<void>((resolve) => {
    this.#decided = resolve;
  });
  #lastWords = '';
  #restarts = 0;
  capabilities: Capabilities = {};
  instructions: string | undefined;
  /** Why it is unavailable; undefined while it answers. */
  fault: string | undefined = 'it is starting';

  constructor(name: string, config: UpstreamConfig, hello: Params, events: UpstreamEvents) {
    this.name = name;
    this.#config = config;
    this.#hello = hello;
    this.#events = events;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Until it answers, or has failed to for the first time. */
  firstTry(): Promise<void> {
    return this.#firstTry;
  }

  /** Throws `upstream_unavailable` if the request cannot leave, and `outcome_unknown` if its answer is lost. */
  async request(method: string, params: Params, options: RequestOptions = {}): Promise<Params> {
    if (!this.#rpc || this.fault !== undefined) throw this.unavailable();
    try {
      return await this.#rpc.request(method, params, options);
    } catch (error) {
      if (!(error instanceof RpcLost)) throw error;
      if (error.cause !== undefined) this.#lost(error.message);
      throw error.sent ? this.#unknown(error) : this.unavailable();
    }
  }

  notify(method: string, params: Params): void {
    if (this.fault === undefined) this.#rpc?.notify(method, params);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#lost('The gateway closes it.');
    await this.#running;
  }

  unavailable() {
    return governanceErrors.upstream_unavailable({
      message: `The MCP server ${this.name} is not available: ${this.fault ?? 'it is restarting'}.`,
      details: { server: this.name, restarts: this.#restarts },
    });
  }

  #unknown(cause: unknown) {
    return jobErrors.outcome_unknown({
      message: `The MCP server ${this.name} was lost while it worked on this: it may have taken effect.`,
      next: 'Find out what it did before you repeat it.',
      details: { server: this.name },
      cause,
    });
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      const began = performance.now();
      const why = await this.#live();
      this.#decided();
      if (this.#stop.signal.aborted) return;
      failures = performance.now() - began > STEADY_MS ? 1 : failures + 1;
      this.#restarts += 1;
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
      const again = `it is started again in ${Math.max(1, Math.round(pause / 1000))} s`;
      const wasUp = this.fault === undefined;
      this.fault = `${why}; ${again}`;
      if (wasUp) this.#events.down();
      await paused(pause, this.#stop.signal);
    }
  }

  /** Connects, and returns when the connection has ended, with the reason. */
  async #live(): Promise<string> {
    this.#lastWords = '';
    const wire = upstreamWire(this.#config, (text) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-2000);
      this.#events.stderr(text);
    });
    let ended: (why: string) => void = () => undefined;
    const over = new Promise<string>((resolve) => {
      ended = resolve;
    });
    this.#lost = ended;
    const rpc = new Rpc(wire.wire, {
      request: (method, params, serving) => this.#events.request(method, params, serving),
      notification: (method, params) => this.#events.notification(method, params),
      closed: () => ended('its connection ended'),
      failed: (error) => {
        if (wire.endsWithError) ended(error instanceof Error ? error.message : 'its connection failed');
      },
    });
    this.#rpc = rpc;
    let why: string;
    try {
      await Promise.race([this.#greet(rpc, wire), over.then((reason) => Promise.reject(new Error(reason)))]);
      this.fault = undefined;
      this.#events.up();
      this.#decided();
      why = await over;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    this.#rpc = undefined;
    await wire.farewell();
    await rpc.close();
    return `${why}${this.#lastLine()}`;
  }

  async #greet(rpc: Rpc, wire: UpstreamWire): Promise<void> {
    await rpc.open();
    const signal = AbortSignal.timeout(INITIALIZE_MS);
    const answer = await rpc.request('initialize', this.#hello, { signal });
    const { capabilities = {}, instructions, protocolVersion } = answer;
    if (typeof protocolVersion !== 'string') throw new RpcError(0, 'it does not speak MCP');
    this.capabilities = capabilities as Capabilities;
    this.instructions = typeof instructions === 'string' ? instructions : undefined;
    wire.agreed(protocolVersion);
    rpc.notify('notifications/initialized', {});
  }

  #lastLine(): string {
    const line = this.#lastWords.trim().split('\n').at(-1)?.trim();
    return line ? ` (it last wrote: ${inline(line, 200)})` : '';
  }
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
