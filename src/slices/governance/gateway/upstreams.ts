import { globMatcher } from '../../../kernel/glob.ts';
import type { GatewayConfig } from './config.ts';
import { Listings, type ListMethod } from './listings.ts';
import type { Params } from './rpc.ts';
import { Upstream, type UpstreamEvents } from './upstream.ts';

/** One server of one client, with what it lists. */
export interface Connected {
  readonly upstream: Upstream;
  readonly lists: Listings;
}

/** What a server that has not answered yet may turn out to have. */
const UNKNOWN_CAPABILITIES = {
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** The servers behind one client, and whose something is. */
export class Upstreams {
  readonly all: readonly Connected[];

  constructor(
    servers: GatewayConfig['servers'],
    hello: Params,
    eventsOf: (server: string) => UpstreamEvents,
  ) {
    this.all = Object.entries(servers).map(([name, config]) => {
      const upstream = new Upstream(name, config, hello, eventsOf(name));
      return { upstream, lists: new Listings(upstream) };
    });
  }

  get(server: string): Connected | undefined {
    return this.all.find(({ upstream }) => upstream.name === server);
  }

  /** Starts all, and waits until each has been tried, or for so long. */
  async start(waitMs: number): Promise<void> {
    for (const { upstream } of this.all) upstream.start();
    const tried = Promise.all(this.all.map(({ upstream }) => upstream.firstTry()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([tried, late]);
    clearTimeout(timer);
  }

  having(capability: string): Connected[] {
    return this.all.filter(({ upstream }) => upstream.capabilities[capability] !== undefined);
  }

  /** All that any of them can do. Lists may change at any time, since servers come and go. */
  capabilities(): Params {
    const union: Record<string, unknown> = {};
    for (const { upstream } of this.all) {
      merge(union, upstream.fault === undefined ? upstream.capabilities : UNKNOWN_CAPABILITIES);
    }
    for (const capability of ['tools', 'resources', 'prompts']) {
      if (capability === 'tools' || union[capability]) {
        union[capability] = { ...(union[capability] as object | undefined), listChanged: true };
      }
    }
    return union;
  }

  /** The one text of a single server as it is, and the texts of several under their names. */
  instructions(): string | undefined {
    const texts = this.all.flatMap(({ upstream }) =>
      upstream.instructions === undefined ? [] : [{ name: upstream.name, text: upstream.instructions }],
    );
    if (this.all.length === 1) return texts[0]?.text;
    return texts.length === 0
      ? undefined
      : texts.map(({ name, text }) => `# ${name}\n\n${text}`).join('\n\n');
  }

  /** Whose resource an address is: of whoever lists it, or has a template for it; else anybody's who has any. */
  async ownersOf(uri: string): Promise<Connected[]> {
    const candidates = this.having('resources');
    for (const each of candidates) {
      if ((await each.lists.get('resources/list')).some((item) => item.uri === uri)) return [each];
    }
    for (const each of candidates) {
      const templates = await each.lists.get('resources/templates/list');
      if (templates.some(({ uriTemplate }) => fitsTemplate(String(uriTemplate), uri))) return [each];
    }
    return candidates;
  }

  async ownerOfTemplate(template: string): Promise<Connected | undefined> {
    for (const each of this.having('resources')) {
      const templates = await each.lists.get('resources/templates/list');
      if (templates.some(({ uriTemplate }) => uriTemplate === template)) return each;
    }
    return undefined;
  }

  forget(server: string, ...methods: readonly ListMethod[]): void {
    this.get(server)?.lists.forget(...methods);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ upstream }) => upstream.close()));
  }
}

function merge(into: Record<string, unknown>, from: Params): void {
  for (const [name, value] of Object.entries(from)) {
    const known = into[name];
    if (isObject(value)) {
      const copy = isObject(known) ? { ...known } : {};
      merge(copy, value);
      into[name] = copy;
    } else into[name] = known === true ? true : value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every expression of a template stands for anything; the rest must be the same. */
function fitsTemplate(template: string, uri: string): boolean {
  return globMatcher(template.replace(/\{[^}]*\}/g, '*'))(uri);
}
