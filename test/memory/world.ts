/** For tests: the whole product on one store, a person with a profile, and agents of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type App, openApp } from '../../src/app/compose.ts';
import { silentLog } from '../../src/app/log.ts';
import { readSettings } from '../../src/app/settings.ts';
import { type FakeClock, fakeClock, seededRandom } from '../../src/platform/testing.ts';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import type { Principal } from '../../src/spine/identity/principal.ts';
import { roles } from '../../src/spine/identity/roles.ts';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';

export const OWNER = 'did:a2p:user:local:ana';
export const AGENT = 'did:a2p:agent:local:helper';

const principalOf = (id: string, type: 'human' | 'agent'): Principal => ({
  actor: { id, type },
  scopes: new Set<string>([...roles[type], 'self']),
  projects: [DEFAULT_PROJECT],
  defaultProject: DEFAULT_PROJECT,
  credential: { kind: 'dashboard', id: `session of ${id}` },
  owner: false,
  speaksFor: [],
  present: true,
});

export const people = {
  ana: principalOf('ana', 'human'),
  ben: principalOf('ben', 'human'),
  helper: principalOf('helper', 'agent'),
  rival: principalOf('rival', 'agent'),
  /** An agent whose key has every scope there is. */
  starred: { ...principalOf('starred', 'agent'), scopes: new Set(['*']) },
  /** A person with the owner key. */
  server: {
    ...principalOf('server', 'human'),
    scopes: new Set(['*']),
    projects: 'all' as const,
    credential: { kind: 'owner' as const, id: 'owner' },
  },
  stranger: { ...principalOf('stranger', 'agent'), projects: ['other'], defaultProject: 'other' },
};
export type Who = keyof typeof people;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any;

export interface World {
  readonly app: App;
  readonly clock: FakeClock;
  /** Calls an operation as someone; answers its headers and body. `idempotency-key` is the request's, not input. */
  answer(who: Who, operation: string, flat?: Record<string, unknown>): Promise<{ headers: Any; body: Any }>;
  /** The same, the body alone. */
  call(who: Who, operation: string, flat?: Record<string, unknown>): Promise<Any>;
  /** The code that a call is refused with, or `ok`. */
  refusal(who: Who, operation: string, flat?: Record<string, unknown>): Promise<string>;
  allow(policy: Record<string, unknown>): Promise<void>;
  approve(flat: Record<string, unknown>, edits?: Record<string, unknown>): Promise<string>;
}

export interface WorldOptions {
  /** Without the profile of ana. */
  readonly bare?: boolean;
  /** Two processes on one store must not draw the same ids. */
  readonly seed?: number;
  /** What else is set from outside. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openWorld(
  databaseUrl: string,
  dataDir: string,
  options: WorldOptions = {},
): Promise<World> {
  const clock = fakeClock('2026-03-04T12:00:00Z');
  const settings = {
    ...readSettings({ BATON_DATA: dataDir, BATON_PORT: '0', ...options.env }),
    databaseUrl,
  };
  const app = await openApp(settings, { clock, random: seededRandom(options.seed ?? 7), log: silentLog });
  let requests = 0;
  const answer: World['answer'] = async (who, operation, flat = {}) => {
    const bound = app.registry.get(operation);
    if (!bound) throw new Error(`no operation ${operation}`);
    clock.advance({ millis: 10 });
    const { 'idempotency-key': key, ...input } = flat;
    const { headers, body } = await app.dispatcher.call(bound, {
      principal: people[who],
      parts: partsFromFlat(bound.operation, input),
      idempotencyKey: key as string | undefined,
      requestId: `req_${String(requests++).padStart(16, '0')}`,
      signal: new AbortController().signal,
    });
    return { headers, body: body === '' ? undefined : JSON.parse(body) };
  };
  const call: World['call'] = async (who, operation, flat) => (await answer(who, operation, flat)).body;
  const world: World = {
    app,
    clock,
    answer,
    call,
    refusal: (who, operation, flat) =>
      call(who, operation, flat).then(
        () => 'ok',
        (error: { code?: string }) => {
          if (error.code === undefined) throw error;
          return error.code;
        },
      ),
    allow: async (policy) => {
      await call('ana', 'memory.policy.put', {
        agentPattern: '*',
        permissions: ['read_scoped', 'propose'],
        ...policy,
      });
    },
    approve: async (flat, edits = {}) => {
      const { proposal_id: id } = await call('helper', 'memory.propose', flat);
      const { memory_id: memoryId } = await call('ana', 'memory.proposals.review', {
        id,
        action: 'approve',
        ...edits,
      });
      return memoryId;
    },
  };
  if (!options.bare) await call('ana', 'memory.profile.create', { did: OWNER });
  return world;
}

/** Call it inside the suite, so that each app is closed before its store is dropped. */
export function worldsOn(open: OpenForTest, options: WorldOptions = {}): (beside?: World) => Promise<World> {
  const opened: { world: World; folder: string }[] = [];
  afterEach(async () => {
    for (const { world, folder } of opened.splice(0)) {
      await world.app.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
  /** Beside another, it is a second process on the same store. */
  return async (beside) => {
    const url = beside?.app.settings.databaseUrl ?? open.urlOf(await open([]));
    const folder = await mkdtemp(join(tmpdir(), 'baton-memory-'));
    const world = await openWorld(url, folder, { ...options, ...(beside && { bare: true, seed: 11 }) });
    opened.push({ world, folder });
    return world;
  };
}
