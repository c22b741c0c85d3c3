/** What each of the five slices writes, told apart by a word of its own: it has to be there once, however often it is said. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from '../../packages/client/src/client.ts';
import { BatonRequestError } from '../../packages/client/src/error.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import { openRepository } from '../../src/slices/delivery/repository/repository.ts';
import { startRun } from '../../src/slices/delivery/runs/start.ts';
import { type TestRepository, testRepository } from '../../src/slices/delivery/testing.ts';
import type { Database } from '../../src/spine/storage/database.ts';

export const SLICES = ['context', 'governance', 'memory', 'delivery', 'relay'] as const;
export type SliceName = (typeof SLICES)[number];

/** Says the same each time that it is called, until somebody acknowledges it. */
export interface Deed {
  readonly slice: SliceName;
  readonly word: string;
  do(client: Client): Promise<void>;
}

/** The words that the store has of a slice, one for each row. */
const WORDS: Record<SliceName, string> = {
  context: 'select title as word from packages',
  governance: `select payload as word from events where event_type = 'session.started'`,
  memory: 'select body as word from memory_texts',
  delivery: 'select root as word from delivery_repositories',
  relay: 'select payload as word from agent_channel_events',
};

export class Deeds {
  readonly #repositories: TestRepository[] = [];
  readonly #keepIn: string;
  #channel = '';

  constructor(dataDir: string) {
    this.#keepIn = join(dataDir, 'runs');
  }

  /** Once, before the first deed. */
  async prepare(client: Client): Promise<void> {
    await client.call('memory.profile.create', {});
    this.#channel = (await client.call('channel.create', { title: 'Deeds' })).id;
  }

  async next(slice: SliceName): Promise<Deed> {
    const word = `deed-${randomUUID()}`;
    const idempotencyKey = word;
    switch (slice) {
      case 'context':
        return {
          slice,
          word,
          do: async (client) =>
            void (await client.call('packages.write', { title: word }, { idempotencyKey })),
        };
      case 'governance': {
        const session = { agent_id: 'shop-bot', goal: word, session_id: randomUUID() };
        return {
          slice,
          word,
          do: async (client) => void (await client.call('carp.session.start', session, { idempotencyKey })),
        };
      }
      case 'memory':
        return {
          slice,
          word,
          do: async (client) => void (await client.call('memory.add', { content: word }, { idempotencyKey })),
        };
      case 'delivery': {
        const root = await this.#newRun();
        return {
          slice,
          word: root,
          do: async (client) =>
            void (await client.call('delivery.attach', { project_id: 'default', path: root })),
        };
      }
      case 'relay': {
        const post = { id: this.#channel, kind: 'note', payload: { word } };
        return {
          slice,
          word,
          do: async (client) => void (await client.call('channel.post', post, { idempotencyKey })),
        };
      }
    }
  }

  remove(): void {
    for (const repository of this.#repositories) repository.remove();
  }

  async #newRun(): Promise<string> {
    const repository = testRepository();
    this.#repositories.push(repository);
    const { root } = repository;
    await startRun(
      openRepository({
        root,
        clock: systemClock,
        random: nodeRandom,
        hasher: nodeHasher,
        keepIn: this.#keepIn,
      }),
    );
    return root;
  }
}

/** Whether a refusal is of the moment: what is refused for good would be refused again. */
export function mayBeSaidAgain(error: unknown): boolean {
  return !(error instanceof BatonRequestError) || error.status >= 500 || error.retryable;
}

export interface Count {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

/** What was acknowledged and is not there, and what is there more than once. */
export async function countDeeds(
  store: Pick<Database, 'read'>,
  acknowledged: readonly Deed[],
): Promise<Count> {
  const lost: string[] = [];
  const twice: string[] = [];
  for (const slice of SLICES) {
    const rows = await store.read((reader) => reader.all<{ word: string | null }>(WORDS[slice]));
    const times = new Map<string, number>();
    for (const { word } of rows) {
      const said = /deed-[0-9a-f-]{36}/.exec(word ?? '')?.[0] ?? word ?? '';
      times.set(said, (times.get(said) ?? 0) + 1);
    }
    for (const deed of acknowledged.filter((one) => one.slice === slice)) {
      const found = times.get(deed.word) ?? 0;
      if (found === 0) lost.push(`${slice}: ${deed.word}`);
      if (found > 1) twice.push(`${slice}: ${deed.word}, ${found} times`);
    }
  }
  return { lost, twice };
}
