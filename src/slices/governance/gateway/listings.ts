import type { Params } from './rpc.ts';
import type { Upstream } from './upstream.ts';

/** Each list that a server may have: the member of its answer, and the capability that announces it. */
const LISTS = {
  'tools/list': { member: 'tools', capability: 'tools' },
  'resources/list': { member: 'resources', capability: 'resources' },
  'resources/templates/list': { member: 'resourceTemplates', capability: 'resources' },
  'prompts/list': { member: 'prompts', capability: 'prompts' },
} as const;
export type ListMethod = keyof typeof LISTS;

export function memberOf(method: ListMethod): string {
  return LISTS[method].member;
}

const MOST_PAGES = 1000;

/** What one server lists, read once and again after it says that it has changed. */
export class Listings {
  readonly #upstream: Upstream;
  readonly #known = new Map<ListMethod, Promise<readonly Params[]>>();
  readonly #last = new Map<ListMethod, readonly Params[]>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** While the server is unavailable, what it listed last. */
  get(method: ListMethod): Promise<readonly Params[]> {
    if (this.#upstream.fault !== undefined) return Promise.resolve(this.#last.get(method) ?? []);
    const known = this.#known.get(method) ?? this.#read(method);
    this.#known.set(method, known);
    return known;
  }

  /** For a client that lists: a server that never says when it has changed is asked each time. */
  getForClient(method: ListMethod): Promise<readonly Params[]> {
    if (this.#upstream.capabilities[LISTS[method].capability]?.listChanged !== true)
      this.#known.delete(method);
    return this.get(method);
  }

  forget(...methods: readonly ListMethod[]): void {
    for (const method of methods) this.#known.delete(method);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async #read(method: ListMethod): Promise<readonly Params[]> {
    const { member, capability } = LISTS[method];
    if (!this.#upstream.capabilities[capability]) return [];
    try {
      const items: Params[] = [];
      let cursor: unknown;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const answer = await this.#upstream.request(method, cursor === undefined ? {} : { cursor });
        items.push(...((answer[member] ?? []) as Params[]));
        cursor = answer.nextCursor;
        if (cursor === undefined || cursor === null) break;
      }
      this.#last.set(method, items);
      return items;
    } catch {
      // One server that cannot list must not take the lists of the others away.
      this.#known.delete(method);
      return this.#last.get(method) ?? [];
    }
  }
}
