import { unboundedWork } from '../../../platform/bounded-work/bounded-work.ts';
import { withWorkOutside } from '../../../spine/storage/work-outside.ts';
/** For tests: the whole slice behind the real HTTP face, on a real store, with a clock that the test sets. */

import { createMetrics } from '../../../faces/http/metrics.ts';
import { createHttpApp } from '../../../faces/http/server.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { uuidV7Source } from '../../../kernel/ids.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { type FakeClock, fakeClock, seededRandom } from '../../../platform/testing.ts';
import { createDispatcher } from '../../../spine/dispatch/dispatch.ts';
import { idempotencyMigrations } from '../../../spine/dispatch/migrations.ts';
import { bind, createRegistry } from '../../../spine/dispatch/registry.ts';
import { createIdentity } from '../../../spine/identity/identity.ts';
import { identityMigrations } from '../../../spine/identity/migrations.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { roles } from '../../../spine/identity/roles.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import { createInbox } from '../../../spine/inbox/inbox.ts';
import { inboxMigrations } from '../../../spine/inbox/migrations.ts';
import { jobMigrations } from '../../../spine/jobs/migrations.ts';
import { createJobQueue } from '../../../spine/jobs/queue.ts';
import { type PayloadCodec, plainPayloads } from '../../../spine/journal/events/payload-codec.ts';
import { createFeed } from '../../../spine/journal/feed/feed.ts';
import { createJournal } from '../../../spine/journal/journal.ts';
import { journalMigrations } from '../../../spine/journal/migrations.ts';
import { createSequencer } from '../../../spine/journal/numbers/sequencer.ts';
import { Shares } from '../../../spine/operations/shares.ts';
import type { Database } from '../../../spine/storage/database.ts';
import type { OpenForTest } from '../../../spine/storage/testing.ts';
import { createSystemHandlers } from '../../../spine/system/handlers.ts';
import { systemOperations } from '../../../spine/system/operations.ts';
import type { Policy } from '../atlases/schema.ts';
import { governanceMigrations } from '../migrations.ts';
import { governanceOperations } from '../operations.ts';
import type { GovernanceSettings } from '../ports.ts';
import { createGovernance, createGovernanceHandlers } from '../slice.ts';
import { actionOf, manifestOf } from './manifest.ts';

export const worldMigrations = [
  ...journalMigrations,
  ...identityMigrations,
  ...jobMigrations,
  ...inboxMigrations,
  ...idempotencyMigrations,
  ...governanceMigrations,
];

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

function principalOf(name: string, parts: Partial<Principal> = {}): Principal {
  return {
    actor: { id: name, type: 'agent' },
    scopes: new Set<string>([...roles.agent, 'atlas:write']),
    projects: [DEFAULT_PROJECT],
    defaultProject: DEFAULT_PROJECT,
    credential: { kind: 'key', id: `key of ${name}` },
    owner: false,
    speaksFor: [],
    present: false,
    ...parts,
  };
}

function personOf(name: string, parts: Partial<Principal> = {}): Principal {
  return principalOf(name, {
    actor: { id: name, type: 'human' },
    scopes: new Set<string>([...roles.human, 'atlas:write']),
    credential: { kind: 'dashboard', id: `session of ${name}` },
    present: true,
    ...parts,
  });
}

export const people = {
  bot: principalOf('bot'),
  rival: principalOf('rival'),
  stranger: principalOf('stranger', { projects: ['other'], defaultProject: 'other' }),
  /** A hook that works for the agents of one client. */
  hook: principalOf('hook', { actor: { id: 'hook', type: 'script' }, speaksFor: ['claude-*'] }),
  /** Another key of the same actor, without that right. */
  bareHook: principalOf('bareHook', { actor: { id: 'hook', type: 'script' } }),
  scout: principalOf('scout', { projects: [DEFAULT_PROJECT, 'other'] }),
  ana: personOf('ana'),
  ben: personOf('ben'),
  'lead-1': personOf('lead-1'),
  cfo: personOf('cfo'),
  /** A person whose key lets the agents `bot` and `rival` work. */
  relayer: personOf('relayer', { speaksFor: ['bot', 'rival'] }),
  /** The operator's own key, which speaks for everyone. */
  owner: personOf('owner', {
    owner: true,
    speaksFor: ['*'],
    scopes: new Set(roles.owner),
    credential: { kind: 'owner', id: 'owner' },
  }),
} as const;

export type Who = keyof typeof people;
/** The token of a key that a test made. */
export type Key = `baton_${string}`;

export async function openWorld(
  store: Database,
  options: {
    readonly settings?: GovernanceSettings;
    readonly clock?: Clock;
    readonly seed?: number;
    readonly payloads?: PayloadCodec;
  } = {},
) {
  const db = withWorkOutside(store, unboundedWork);
  const clock = (options.clock ?? fakeClock('2026-03-04T12:00:00Z')) as FakeClock;
  const random = seededRandom(options.seed ?? 1);
  const ids = uuidV7Source(clock, random);
  const hasher = nodeHasher;
  const { payloads = plainPayloads } = options;
  const journal = createJournal({ hasher, ids, clock, payloads });
  const identity = createIdentity({ db, clock, random, hasher, ids, journal });
  const feed = createFeed(db, createSequencer(db), payloads);
  const inbox = createInbox({
    journal,
    jobs: createJobQueue({ ids, clock }),
    hasher,
    clock,
    random,
    ledgerOf: async (uow, projectId, actor) => ({
      sessionId: (await identity.standingSession(uow, projectId, actor)).sessionId,
      kind: 'ledger',
    }),
  });
  const governance = createGovernance(
    { db, clock, ids, hasher, journal, feed, inbox, identity, payloads },
    { ...(options.settings && { settings: options.settings }) },
  );
  for (const projectId of [DEFAULT_PROJECT, 'other']) {
    await db.write((uow) => identity.ensureProject(uow, { projectId }, SYSTEM_ACTOR));
  }
  const app = createHttpApp({
    registry: createRegistry(
      bind(governanceOperations, createGovernanceHandlers(governance.deps)),
      bind(
        systemOperations,
        createSystemHandlers({
          db,
          version: 'test',
          uptime: () => 1,
          isDraining: () => false,
          checks: () => ({}),
          metricsText: async () => '',
          openApi: async () => ({}),
        }),
      ),
    ),
    dispatcher: createDispatcher(db, clock, hasher),
    clock,
    body: { maxBytes: 1_048_576, idleSeconds: 10 },
    originOf: ({ origin }) => origin,
    authenticate: async ({ headers }) => {
      const given = headers.authorization ?? headers['x-api-key'] ?? '';
      const name = given.replace(/^Bearer /, '');
      return Object.hasOwn(people, name) ? people[name as Who] : identity.authenticate({ apiKey: name });
    },
    streams: new Shares({ each: 10 }),
    anonymous: principalOf('nobody', { scopes: new Set() }),
    draining: new AbortController().signal,
    closing: new AbortController().signal,
    log: (error) => console.error(error),
    hosts: new Set(['localhost', '127.0.0.1']),
    newRequestId: ids,
    metrics: createMetrics(),
    files: undefined,
  });

  async function send(
    method: string,
    path: string,
    body?: unknown,
    extra: { readonly as?: Who | Key; readonly headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await app.request(`http://localhost${path}`, {
      method,
      headers: {
        host: 'localhost',
        authorization: `Bearer ${extra.as ?? 'bot'}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...extra.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text !== '' && (response.headers.get('content-type') ?? '').includes('json');
    const lines = (response.headers.get('content-type') ?? '').match(/jsonl|ndjson/);
    return {
      status: response.status,
      body: json && !lines ? JSON.parse(text) : text,
      headers: response.headers,
    };
  }

  const base = (sessionId: string, operation: string) => ({
    carp_version: '1.0',
    request_id: ids(),
    timestamp: formatMicros(clock.now()),
    operation,
    requester: { agent_id: 'bot', session_id: sessionId },
  });

  return {
    db,
    clock,
    ids,
    app,
    identity,
    inbox,
    executors: governance.deps.executors,
    governance,
    send,
    base,
    load: (manifest: object, mode = 'enforce') => send('POST', `/v1/atlases?mode=${mode}`, manifest),
    async start(parts: object = {}): Promise<string> {
      const { status, body } = await send('POST', '/v1/sessions', {
        agent_id: 'bot',
        goal: 'Do the work',
        ...parts,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.session_id;
    },
    resolve: (sessionId: string, parts: object = {}, as: Who | Key = 'bot') =>
      send(
        'POST',
        '/v1/resolve',
        { ...base(sessionId, 'resolve'), task: { goal: 'Do the work' }, ...parts },
        { as },
      ),
    execute: (sessionId: string, execution: object, parts: object = {}, as: Who | Key = 'bot') =>
      send(
        'POST',
        '/v1/execute',
        { ...base(sessionId, 'execute'), execution: { parameters: {}, ...execution }, ...parts },
        { as },
      ),
    async trace(sessionId: string): Promise<
      {
        event_type: string;
        payload: Record<string, unknown>;
        span_id: string;
        parent_span_id: string | null;
      }[]
    > {
      return (await send('GET', `/v1/traces/${sessionId}`, undefined, { as: 'ana' })).body;
    },
  };
}

export const echo = { executor: 'echo' };
export const ACTIONS = [
  actionOf('item.get', {
    ...echo,
    parameters_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  }),
  actionOf('item.drop', { ...echo, risk_tier: 'high' }),
];
export const ALLOW: Policy = { policy_id: 'all', type: 'allow' };

/** Opens worlds with an Atlas of two actions: one that requires an id, and one of high risk. */
export function itemWorlds(open: OpenForTest) {
  return async (
    policies: Policy[] = [ALLOW],
    parts: object = {},
    settings = {},
    payloads?: PayloadCodec,
  ): Promise<World> => {
    const opened = await openWorld(await open(worldMigrations), { settings, ...(payloads && { payloads }) });
    const loaded = await opened.load(manifestOf({ actions: ACTIONS, policies, ...parts }));
    if (loaded.status !== 201) throw new Error(JSON.stringify(loaded.body));
    return opened;
  };
}

export const typesOf = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);
