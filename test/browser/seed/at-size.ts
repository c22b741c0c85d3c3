import type { TestServer } from '../../setup/server.ts';
import { agentClient } from './agent.ts';

export interface Sizes {
  readonly packages: number;
  readonly facts: number;
  readonly spans: number;
  readonly items: number;
  readonly memories: number;
  readonly keys: number;
}

/** The sizes at which the pages said what was not so. */
export const FULL: Sizes = {
  packages: 10_000,
  facts: 2_000,
  spans: 5_000,
  items: 500,
  memories: 300,
  keys: 120,
};

/** Beyond one page of every list, and no more. */
export const ORDINARY: Sizes = {
  packages: 1_000,
  facts: 250,
  spans: 600,
  items: 60,
  memories: 90,
  keys: 60,
};

export const PROJECT = 'default';
export const BIG_SESSION = 'a-long-session';
const BATCH = 500;

/** A store of a size, through the API and in batches. What is oldest has a name of its own: it is looked for later. */
export async function seedAtSize(server: TestServer, sizes: Sizes): Promise<void> {
  await seedPackages(server, sizes);
  await seedFacts(server, sizes.facts);
  await seedSpans(server, sizes.spans);
  await seedMemories(server, sizes.memories);
  for (let at = 0; at < sizes.keys; at += 1) {
    await server.client.call('keys.create', { actor_id: `worker-${at}`, actor_type: 'agent' });
  }
}

async function seedPackages(server: TestServer, { packages, items }: Sizes): Promise<void> {
  const now = Date.now();
  const line = (at: number) =>
    JSON.stringify({
      package_id: `pkg_size${at}`,
      project_id: PROJECT,
      relay_version: '0.1',
      title: at === packages - 1 ? 'The oldest quagga of all' : `Piece of work ${at}`,
      status: 'complete',
      package_type: at % 3 === 0 ? 'milestone' : 'standard',
      review_type: 'none',
      created_at: new Date(now - at * 5_000).toISOString(),
      created_by: { id: `author-${at % 7}`, type: 'agent' },
      decisions_made: at % 50 === 0 ? [`Decision ${at}`] : [],
      open_questions: at % 100 === 0 ? [`What about ${at}?`] : [],
    });
  await importBatches(server, packages, (at) => ({ packages: [{ line: line(at) }] }));
  const asks = await agentClient(server, 'asking-agent');
  for (let at = 0; at < items; at += 1) {
    const title = at === items - 1 ? 'Look at the last okapi' : `Look at question ${at}`;
    await asks.call('packages.write', { title, status: 'awaiting_review', review_type: 'human' });
  }
  // What its own author asks for waits for somebody else.
  for (let at = 0; at < 3; at += 1) {
    const title = `Of my own ${at}`;
    await server.client.call('packages.write', { title, status: 'awaiting_review', review_type: 'human' });
  }
}

async function seedFacts(server: TestServer, facts: number): Promise<void> {
  const now = Date.now();
  await importBatches(server, facts, (at) => {
    const instant = new Date(now - 60_000 - at * 1_000).toISOString();
    return {
      facts: [
        JSON.stringify({
          fact_id: `fact_size${at}`,
          project_id: PROJECT,
          subject: `service ${at}`,
          predicate: 'owner',
          value: at === facts - 1 ? 'the tapir team' : `team ${at}`,
          valid_from: instant,
          created_at: instant,
          valid_to: null,
          asserted_by: { id: 'author-1', type: 'agent' },
        }),
      ],
    };
  });
}

type Lines = Readonly<Record<string, readonly unknown[]>>;

async function importBatches(
  server: TestServer,
  count: number,
  lineOf: (at: number) => Lines,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const batch: Record<string, unknown[]> = {};
    for (let at = from; at < Math.min(count, from + BATCH); at += 1) {
      for (const [name, lines] of Object.entries(lineOf(at)))
        batch[name] = [...(batch[name] ?? []), ...lines];
    }
    await server.client.call('transfer.import', batch);
  }
}

const SMALL_SESSIONS = 60;

async function seedSpans(server: TestServer, count: number): Promise<void> {
  const begin = Date.now() - 3_600_000;
  const nano = (ms: number) => `${begin + ms}000000`;
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');
  const spans = Array.from({ length: count }, (_, at) => {
    const small = at < SMALL_SESSIONS;
    const session = small ? `short-session-${at}` : BIG_SESSION;
    const agent = `agent-${at % 4}`;
    return {
      traceId: hex(small ? at + 1 : 1_000 + Math.floor(at / 50), 32),
      spanId: hex(at + 1, 16),
      name: at === SMALL_SESSIONS ? 'the first numbat' : `step ${at}`,
      kind: 3,
      startTimeUnixNano: nano(at * 10),
      endTimeUnixNano: nano(at * 10 + 7),
      attributes: [text('session.id', session), text('agent.id', agent), text('graph.node.id', agent)],
      status: { code: at % 97 === 0 ? 2 : 1 },
    };
  });
  for (let from = 0; from < count; from += BATCH) {
    const answer = await server.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [text('service.name', 'seed')] },
            scopeSpans: [{ scope: { name: 'seed' }, spans: spans.slice(from, from + BATCH) }],
          },
        ],
      }),
    });
    if (!answer.ok) throw new Error(`spans were refused: ${answer.status} ${await answer.text()}`);
  }
}

async function seedMemories(server: TestServer, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await server.client.call('memory.add', {
      content: at === count - 1 ? 'Keeps a pangolin in the garden' : `Remembers thing number ${at}`,
      category: 'a2p:preferences.coding',
      memory_type: 'semantic',
    });
  }
}
