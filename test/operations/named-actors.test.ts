/**
 * Every place where a request names somebody who acts. The first test finds them in the declarations, so that a new one
 * cannot be added without saying here what becomes of the name; the second one lies in each place.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

/** Members whose names could be an actor's. */
const NAMES_SOMEBODY =
  /(^|\/)(\w*agent(_?id|_?did)?|actor\w*|author|\w+_by|holder|as|requester|reviewer|approver|issuers?|role|operator_did|did|sender|speaker|user(_id)?|owner\w*|delegates|agentPattern|on_behalf\w*|speaks_for)$/i;

/** Named, but not as the one who acts. */
const ABOUT: Readonly<Record<string, string>> = {
  'keys.create body/actor_id': 'whose key it is; an agent makes keys only for itself and whom it speaks for',
  'keys.create body/role': 'a set of scopes',
  'keys.create body/speaks_for': 'granted by a present person who holds it',
  'keys.create body/actor_type': 'never a person’s by an agent; an actor has one type for good',
  'invitations.create body/actor_id': 'whom a present owner invites; never somebody who is here already',
  'invitations.create body/role': 'a set of scopes',
  'inbox.list query/requested_by': 'a filter',
  'inbox.groups query/requested_by': 'a filter',
  'inbox.counts query/requested_by': 'a filter',
  'packages.list query/author': 'a filter',
  'packages.pull query/author': 'a filter',
  'packages.deposit body/estimated_next_actor': 'a kind, and only advice',
  'packages.write body/estimated_next_actor': 'a kind, and only advice',
  'carp.explain body/agent_id': 'asks what would be decided for an agent; nothing is done or stored',
  'relay.peer.register body/role': 'of the peer, by whoever manages peers',
  'notifications.mail_set body/user': 'who signs in to the mail server',
  'relay.spans query/agent': 'a filter',
  'relay.stats query/agent': 'a filter',
  'a2a.agent path/agent': 'to whom',
  'a2a.agent.rest path/agent': 'to whom',
  'channel.request body/role': 'what is asked for; the issuer is the credential’s actor',
  'channel.verify body/issuers': 'whom the caller trusts',
  'delivery.ask body/role':
    'a role of the run, always below `role:`; the credential’s actor is judged and recorded',
  'memory.profile.create body/did': 'whose profile; a local DID is its own actor’s or the owner’s to claim',
  'memory.profile.settings body/delegates': 'whom the person lets decide for them',
  'memory.policy.put body/agentPattern': 'to whom the person shares',
  'memory.access query/agent': 'a filter of the person',
  'memory.access.revoke body/agent': 'whose access the person ends',
  'memory.access.restore body/agent': 'whose access the person restores',
  'memory.agent.put body/did': 'whom a person registers; nobody else may',
  'memory.agent.put body/operator_did': 'what a person vouches for',
  'memory.category.put body/maintainer_did': 'of a vocabulary',
  'memory.keys query/did': 'public keys',
  'memory.erase body/agent': 'whose memories the person erases',
  ...Object.fromEntries(
    ['profile.get', 'access.request', 'memories.list', 'propose', 'proposals.list', 'proposals.review']
      .concat('proposals.withdraw', 'agent.get', 'did.get')
      .map((name) => [`a2p.${name} path/did`, 'about whom']),
  ),
};

interface Attempt {
  readonly path: string;
  readonly body?: unknown;
  readonly method?: string;
}

const VICTIM = 'dba-1';
const VICTIM_DID = `did:a2p:agent:local:${VICTIM}`;
const aPackage = (id: string) => ({
  package_id: id,
  project_id: 'default',
  relay_version: '0.1',
  title: 'A package',
  status: 'complete',
  package_type: 'standard',
  review_type: 'none',
  created_at: '2026-01-01T00:00:00Z',
});
const asVictim = { id: VICTIM, type: 'agent' };
const aFact = { subject: 's', predicate: 'p', value: 'v' };

/** Where the one who acts is named: the request that lies there, and the code that the liar is answered with. */
const BOUND: Readonly<Record<string, readonly [code: string, lie: (made: Made) => Attempt]>> = {
  'packages.deposit body/created_by': [
    'actor_mismatch',
    () => ({
      path: '/v1/projects/default/packages',
      body: { ...aPackage('lie-1'), created_by: { ...asVictim, session_id: null } },
    }),
  ],
  'packages.write body/created_by': [
    'actor_mismatch',
    () => ({ path: '/v1/packages', body: { title: 'A draft', created_by: asVictim } }),
  ],
  'facts.assert body/asserted_by': [
    'actor_mismatch',
    () => ({ path: '/v1/projects/default/facts', body: { ...aFact, asserted_by: asVictim } }),
  ],
  'facts.state body/asserted_by': [
    'actor_mismatch',
    () => ({ path: '/v1/facts', body: { ...aFact, asserted_by: asVictim } }),
  ],
  'review.decide body/reviewer': [
    'actor_mismatch',
    () => ({ path: '/v1/packages/waiting/review', body: { verdict: 'approve', reviewer: asVictim } }),
  ],
  'carp.session.start body/agent_id': [
    'SESSION_NOT_OWNED',
    () => ({ path: '/v1/sessions', body: { agent_id: VICTIM, goal: 'g' } }),
  ],
  'carp.resolve body/requester/agent_id': [
    'SESSION_NOT_OWNED',
    ({ session }) => ({ path: '/v1/resolve', body: carp('resolve', session) }),
  ],
  'carp.execute body/requester/agent_id': [
    'SESSION_NOT_OWNED',
    ({ session }) => ({ path: '/v1/execute', body: carp('execute', session) }),
  ],
  'approvals.decide body/approver': [
    'APPROVER_MISMATCH',
    () => ({ path: '/v1/approvals/none', body: { decision: 'approve', approver: VICTIM } }),
  ],
  'a2a.agent message/metadata/agent.id': [
    'actor_not_yours',
    () => ({ path: '/a2a/writer', body: a2aMessage() }),
  ],
  'relay.send body/as': [
    'actor_not_yours',
    () => ({ path: '/v1/relay/send', body: { to: 'writer', text: 'hello', as: VICTIM } }),
  ],
  'relay.stream query/as': [
    'actor_not_yours',
    () => ({ path: `/v1/relay/stream?to=writer&text=hello&as=${VICTIM}`, method: 'GET' }),
  ],
  'channel.create body/created_by': [
    'actor_not_yours',
    () => ({ path: '/agent-channel', body: { title: 't', created_by: VICTIM } }),
  ],
  'channel.events query/agent': [
    'actor_not_yours',
    ({ channel }) => ({ path: `/agent-channel/${channel}/events?agent=${VICTIM}`, method: 'GET' }),
  ],
  'channel.post body/author': [
    'actor_not_yours',
    ({ channel }) => ({
      path: `/agent-channel/${channel}/event`,
      body: { kind: 'status', author: VICTIM, payload: { agent: VICTIM, phase: 'ready' } },
    }),
  ],
  'channel.lease body/holder': [
    'actor_not_yours',
    ({ channel }) => ({ path: `/agent-channel/${channel}/lease`, body: { holder: VICTIM } }),
  ],
  'channel.receipt body/agent': [
    'actor_not_yours',
    ({ channel }) => ({ path: `/agent-channel/${channel}/receipts`, body: { agent: VICTIM, read_seq: 0 } }),
  ],
  'a2p.propose body/agentDid': [
    'A2P002',
    () => ({
      path: `/a2p/v1/profile/${PROFILE}/memories/propose`,
      body: { ...proposal, agentDid: VICTIM_DID },
    }),
  ],
  'a2p.propose body/proposedBy/agentDid': [
    'A2P002',
    () => ({
      path: `/a2p/v1/profile/${PROFILE}/memories/propose`,
      body: { ...proposal, proposedBy: { agentDid: VICTIM_DID } },
    }),
  ],
  'a2p.access.request body/agentDid': [
    'A2P002',
    () => ({
      path: `/a2p/v1/profile/${PROFILE}/access`,
      body: { scopes: ['a2p:preferences'], purpose: 'To help', agentDid: VICTIM_DID },
    }),
  ],
  'memory.propose body/agentDid': [
    'A2P002',
    () => ({ path: '/v1/memory/proposals', body: { ...proposal, agentDid: VICTIM_DID } }),
  ],
  'memory.key.rotate body/did': [
    'A2P002',
    () => ({ path: '/v1/memory/keys/rotate', body: { did: VICTIM_DID, public_key: PUBLIC_KEY } }),
  ],
  'memory.key.revoke body/did': [
    'A2P002',
    () => ({ path: '/v1/memory/keys/revoke', body: { did: VICTIM_DID, key_id: 'any' } }),
  ],
};

interface Made {
  readonly session: string;
  readonly channel: string;
}

const PROFILE = 'did:a2p:user:local:owner';
const PUBLIC_KEY = 'z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
const proposal = {
  content: 'Likes tea',
  category: 'a2p:preferences',
  memory_type: 'semantic',
  confidence: 0.9,
};

function carp(operation: 'resolve' | 'execute', session_id: string) {
  const nil = '00000000-0000-0000-0000-000000000001';
  return {
    carp_version: '1.0',
    request_id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    operation,
    requester: { agent_id: VICTIM, session_id },
    task: { goal: 'g' },
    ...(operation === 'execute' && {
      execution: { resolution_id: nil, action_id: 'a.b', parameters: {} },
    }),
  };
}

function a2aMessage() {
  const message = {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    parts: [{ kind: 'text', text: 'hello' }],
    metadata: { 'agent.id': VICTIM },
  };
  return { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } };
}

describe('a name in a request', () => {
  let server: TestServer;
  let made: Made;
  const tokens: Record<string, string> = {};

  const send = (token: string, { path, body, method = body === undefined ? 'GET' : 'POST' }: Attempt) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        'x-baton-key': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    server = await startTestServer();
    const { app, client } = server;
    const key = async (actor_id: string, speaksFor: string[]) => {
      const { token } = await app.db.write(async (uow) =>
        app.identity.createKey(uow, await present(server), {
          actor: { id: actor_id, type: 'agent' },
          scopes: ['*'],
          projects: ['default'],
          defaultProject: 'default',
          speaksFor,
        }),
      );
      return token as string;
    };
    tokens.liar = await key('intern-bot', []);
    tokens.service = await key('gateway', [VICTIM]);
    tokens.victim = await key(VICTIM, []);
    await client.call('relay.peer.register', { id: 'writer', url: 'http://127.0.0.1:9/none' } as never);
    await client.call('memory.profile.create', {});
    await send(server.ownerToken, {
      path: '/v1/projects/default/packages',
      body: {
        ...aPackage('waiting'),
        status: 'awaiting_review',
        review_type: 'agent',
        created_by: { id: 'owner', type: 'human', session_id: null },
      },
    });
    await send(server.ownerToken, {
      path: '/v1/memory/agents',
      method: 'PUT',
      body: { did: VICTIM_DID, public_key: PUBLIC_KEY },
    });
    const opened = await send(tokens.liar, {
      path: '/v1/sessions',
      body: { agent_id: 'intern-bot', goal: 'g' },
    });
    const channel = await send(tokens.liar, { path: '/agent-channel', body: { title: 't' } });
    made = {
      session: ((await opened.json()) as { session_id: string }).session_id,
      channel: ((await channel.json()) as { id: string }).id,
    };
  });
  afterAll(() => server?.close());

  it('stands only where this file says what becomes of it', () => {
    const unknown = Object.entries(operations as Record<string, Operation>)
      .flatMap(([name, { input }]) => named(name, input))
      .filter((place) => !(place in ABOUT) && !Object.keys(BOUND).some((known) => place.startsWith(known)));
    expect(unknown).toEqual([]);
  });

  it.each(Object.keys(BOUND))(
    'is no lie at %s: refused, naming speaks_for, and never rewritten',
    async (place) => {
      const [code, lie] = BOUND[place] as (typeof BOUND)[string];
      const answer = await send(tokens.liar as string, lie(made));
      const text = await answer.text();
      expect([answer.status, text]).toEqual([403, expect.stringContaining(code)]);
      if (!/reviewer|approver/.test(place)) expect(text).toContain('speaks_for');
    },
  );

  it.each(Object.keys(BOUND).filter((place) => !/reviewer|approver|requester|stream/.test(place)))(
    'may be that of somebody whom the key speaks for at %s, and is the victim’s own to say',
    async (place) => {
      const [, lie] = BOUND[place] as (typeof BOUND)[string];
      for (const who of [tokens.service, tokens.victim] as string[]) {
        const text = await (await send(who, lie(made))).text();
        expect(text).not.toContain('speaks_for');
      }
    },
  );
});

async function present({ app, ownerToken }: TestServer) {
  return { ...(await app.identity.authenticate({ apiKey: ownerToken })), present: true };
}

function named(name: string, input: Operation['input']): string[] {
  return Object.entries(input).flatMap(([part, schema]) => {
    const found = new Set<string>();
    const json = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
    collect(json as Schema, part, found);
    return [...found].filter((path) => NAMES_SOMEBODY.test(path)).map((path) => `${name} ${path}`);
  });
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
}

function collect(schema: Schema, at: string, into: Set<string>): void {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    into.add(`${at}/${key}`);
    collect(value, `${at}/${key}`, into);
  }
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    collect(each, at, into);
  }
  if (schema.items) collect(schema.items, `${at}/*`, into);
}
