/** One valid request for each operation that changes something, made on a server of the whole product. */
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { splitFlatInput } from '../../src/spine/operations/flat-input.ts';
import { aPackage } from '../context/a-package.ts';
import type { TestServer } from '../setup/server.ts';

export type Flat = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: requests are made from answers of every shape
  readonly json: any;
}

export interface Asking {
  readonly key?: string;
  readonly token?: string;
}

export interface Product {
  readonly server: TestServer;
  readonly tokens: { readonly ana: string; readonly bot: string };
  readonly peerUrl: string;
  /** A name that no other request has. */
  fresh(): string;
  ask(operation: string, flat: Flat, asking?: Asking): Promise<Reply>;
  /** The body of an answer that must be one. */
  // biome-ignore lint/suspicious/noExplicitAny: requests are made from answers of every shape
  done(operation: string, flat: Flat, asking?: Asking): Promise<any>;
}

export const table = operations as Readonly<Record<string, Operation>>;

export async function productOn(server: TestServer, peerUrl: string): Promise<Product> {
  let made = 0;
  const tokenOf = async (actor_id: string, actor_type: 'human' | 'agent') =>
    (await server.client.call('keys.create', { actor_id, actor_type, scopes: ['*'] })).token as string;
  const tokens = { ana: await tokenOf('ana', 'human'), bot: await tokenOf('bot', 'agent') };

  const ask: Product['ask'] = async (name, flat, { key, token = server.ownerToken } = {}) => {
    const operation = table[name]!;
    const { path, query, headers, body } = splitFlatInput(operation, flat);
    const target = operation.http!.path.replace(/\{(\w+)\*?\}/g, (_, part: string) =>
      encodeURIComponent(String(path[part])),
    );
    const search = new URLSearchParams(Object.entries(query).map(([part, value]) => [part, String(value)]));
    const response = await fetch(`${server.url}${target}?${search}`, {
      method: operation.http!.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(headers as Record<string, string>),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: Object.fromEntries(response.headers), text, json };
  };
  return {
    server,
    tokens,
    peerUrl,
    fresh: () => `n${++made}`,
    ask,
    async done(name, flat, asking) {
      const { status, json, text } = await ask(name, flat, asking);
      if (status >= 400) throw new Error(`${name}: ${status} ${text}`);
      return json;
    },
  };
}

export interface ValidRequest {
  readonly input: Flat;
  readonly token?: string;
}

const AGENT = 'did:a2p:agent:local:bot';
const OWNER = 'did:a2p:user:local:ana';
const PUBLIC_KEY = 'z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';

const PROPOSING = {
  id: 'policy_p',
  agentPattern: '*',
  permissions: ['read_scoped', 'propose'],
  allow: ['a2p:*'],
};

const OF_OWNER = { id: 'owner', type: 'human', session_id: null };

/** Only a present owner invites, and how presence is proved is another test's. */
const invitationOf = async ({ server, fresh }: Product) => {
  const { identity, db } = server.app;
  const owner = await identity.authenticate({ authorization: `Bearer ${server.ownerToken}` });
  const grant = {
    actor: { id: fresh(), type: 'human' },
    scopes: ['packages:read'],
    projects: ['default'],
    defaultProject: 'default',
    speaksFor: [],
  } as const;
  const wanted = { grant, displayName: 'Somebody', lifetime: 3_600e6 };
  const by = { ...owner, present: true };
  return (await db.write((uow) => identity.invitations.invite(uow, by, wanted))).invitation.invitationId;
};
/** The most that one person may have is ten, so that each request leaves room for the next one. */
const notifiedBy = async ({ done }: Product) => {
  const { channels } = await done('notifications.list', {});
  for (const { channel_id } of channels) await done('notifications.remove', { channel_id });
  return (await done('notifications.add', { kind: 'browser' })).channel_id as string;
};
const projectOf = async ({ done, fresh }: Product) => {
  const project_id = fresh();
  await done('projects.create', { project_id });
  return project_id;
};
const packageOf = async ({ done, fresh }: Product, more: object = {}, asking?: Asking) => {
  const id = fresh();
  const body = aPackage(id, { project_id: 'default', ...more });
  await done('packages.deposit', { project_id: 'default', package: body }, asking);
  return id;
};
const waiting = (product: Product) =>
  packageOf(
    product,
    { status: 'awaiting_review', review_type: 'human', created_by: { id: 'bot', type: 'agent' } },
    { token: product.tokens.bot },
  );
const waitingItem = async (product: Product): Promise<{ id: string; digest: string }> => {
  const id = await waiting(product);
  const { items } = await product.done('inbox.list', { kind: 'package_review', sort: 'newest', limit: 200 });
  return items.find((item: { subject: { id: string } }) => item.subject.id === id);
};
const profileOf = async ({ ask, done, tokens }: Product) => {
  await ask('memory.profile.create', { did: OWNER }, { token: tokens.ana });
  await done('memory.policy.put', PROPOSING, { token: tokens.ana });
  return { token: tokens.ana };
};
const memoryOf = async (product: Product) => {
  const { token } = await profileOf(product);
  const content = `Ana knows ${product.fresh()} well`;
  const added = await product.done('memory.add', { content, category: 'a2p:interests' }, { token });
  return { token, id: added.id as string };
};
const proposalOf = async (product: Product) => {
  const { token } = await profileOf(product);
  const content = `Ana met ${product.fresh()} today`;
  const proposed = await product.done(
    'memory.propose',
    { profile: OWNER, content },
    { token: product.tokens.bot },
  );
  return { token, id: proposed.proposal_id as string };
};
/** A message that went through the relay, as soon as its spans are stored. */
const relayedTrace = async ({ ask, done, fresh, peerUrl }: Product) => {
  const id = fresh();
  await done('relay.peer.register', { id, url: peerUrl, version: '0.3' });
  const { trace_id } = await done('relay.send', { to: id, text: 'Hello' });
  while ((await ask('relay.replay.plan', { trace_id })).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return trace_id as string;
};
const channelOf = async ({ done, fresh }: Product) =>
  (await done('channel.create', { title: fresh() })).id as string;
const atlasOf = (id: string) => ({
  atlas_version: '1.0',
  atlas_id: `com.example.${id}`,
  version: '1.0.0',
  name: id,
  description: 'For a test.',
  actions: [
    { action_id: `${id}.get`, name: 'Get', description: 'Gets it.', executor: 'mock', idempotent: true },
    { action_id: `${id}.drop`, name: 'Drop', description: 'Drops it.', executor: 'mock' },
  ],
  policies: [
    { policy_id: 'ask', type: 'require_approval', actions: [`${id}.drop`] },
    { policy_id: 'all', type: 'allow', actions: ['*'] },
  ],
});
const sessionOf = async ({ done }: Product) =>
  (await done('carp.session.start', { agent_id: 'owner', goal: 'Try it' })).session_id as string;
const carp = (session_id: string, more: object) => ({
  request: {
    carp_version: '1.0',
    request_id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    requester: { agent_id: 'owner', session_id },
    ...more,
  },
});
const resolving = (session_id: string) =>
  carp(session_id, { operation: 'resolve', task: { goal: 'Try it' } });
const resolved = async (product: Product) => {
  const id = product.fresh();
  await product.done('atlas.load', { manifest: atlasOf(id) });
  const session = await sessionOf(product);
  const resolution = await product.done('carp.resolve', resolving(session));
  return { id, session, resolution };
};
const own = (input: Flat) => async (product: Product) => ({ input, ...(await profileOf(product)) });
const onMemory = (more: Flat) => async (product: Product) => {
  const { id, token } = await memoryOf(product);
  return { input: { id, ...more }, token };
};

/** What a valid request of an operation is. Those that are missing are tried by their declaration alone. */
export const requests: Readonly<Record<string, (product: Product) => Promise<ValidRequest>>> = {
  'keys.revoke': async ({ server, fresh }) => ({
    input: {
      key_id: (await server.client.call('keys.create', { actor_id: fresh(), actor_type: 'agent' })).key_id,
    },
  }),
  'invitations.revoke': async (product) => ({ input: { invitation_id: await invitationOf(product) } }),
  'notifications.change': async (product) => ({
    input: { channel_id: await notifiedBy(product), paused: true },
  }),
  'notifications.remove': async (product) => ({ input: { channel_id: await notifiedBy(product) } }),
  'notifications.mail_remove': async () => ({ input: {} }),
  'projects.create': async ({ fresh }) => ({ input: { project_id: fresh() } }),
  'projects.change': async (product) => ({
    input: { project_id: await projectOf(product), name: 'New' },
  }),
  'projects.archive': async (product) => ({ input: { project_id: await projectOf(product) } }),
  'projects.restore': async (product) => {
    const project_id = await projectOf(product);
    await product.done('projects.archive', { project_id });
    return { input: { project_id } };
  },
  'sessions.start': async () => ({ input: { project_id: 'default' } }),
  'sessions.begin': async () => ({ input: {} }),
  'sessions.end': async ({ done }) => ({
    input: { session_id: (await done('sessions.start', { project_id: 'default' })).session_id },
  }),
  'facts.state': async ({ fresh }) => ({ input: { subject: fresh(), predicate: 'is', value: 'so' } }),
  'facts.assert': async ({ fresh }) => ({
    input: { project_id: 'default', subject: fresh(), predicate: 'is', value: 'so' },
  }),
  'facts.retract': async ({ done, fresh }) => {
    const fact = { subject: fresh(), predicate: 'is' };
    await done('facts.state', { ...fact, value: 'so' });
    return { input: fact };
  },
  'facts.invalidate': async ({ done, fresh }) => {
    const fact = { subject: fresh(), predicate: 'is' };
    await done('facts.state', { ...fact, value: 'so' });
    return { input: { project_id: 'default', ...fact } };
  },
  'packages.write': async ({ fresh }) => ({ input: { title: fresh(), description: 'Written.' } }),
  'packages.deposit': async ({ fresh }) => ({
    input: { project_id: 'default', package: aPackage(fresh(), { project_id: 'default' }) },
  }),
  'packages.redact': async (product) => ({
    input: { package_id: await packageOf(product), reason: 'A secret' },
  }),
  'review.flag': async (product) => ({
    input: {
      package_id: await packageOf(product, { status: 'draft', created_by: OF_OWNER }),
      review_type: 'human',
    },
  }),
  'review.decide': async (product) => ({
    input: { package_id: await waiting(product), verdict: 'approve' },
    token: product.tokens.ana,
  }),
  'inbox.decide': async (product) => {
    await waiting(product);
    const { items } = await product.done('inbox.list', { state: 'open', kind: 'package_review' });
    return {
      input: { id: items[0].id, decision: 'approve', digest: items[0].digest },
      token: product.tokens.ana,
    };
  },
  'inbox.decide_many': async (product) => {
    const { id, digest } = await waitingItem(product);
    return {
      input: { decision: 'approve', decisions: [{ id, digest }] },
      token: product.tokens.ana,
    };
  },
  'inbox.undo': async (product) => {
    const { id, digest } = await waitingItem(product);
    const token = product.tokens.ana;
    await product.done('inbox.decide', { id, digest, decision: 'reject', undo_seconds: 60 }, { token });
    return { input: { id }, token };
  },
  'inbox.defer': async (product) => ({
    input: { id: (await waitingItem(product)).id, until: new Date(Date.now() + 3_600_000).toISOString() },
    token: product.tokens.ana,
  }),
  'inbox.delegate': async (product) => ({
    input: { id: (await waitingItem(product)).id, to: 'owner' },
    token: product.tokens.ana,
  }),
  'inbox.bring_back': async (product) => ({
    input: { id: (await waitingItem(product)).id },
    token: product.tokens.ana,
  }),
  'packages.quarantine': async (product) => ({
    input: { project_id: 'default', package_ids: [await packageOf(product)] },
  }),
  'transfer.import': async () => ({ input: { dry_run: true } }),
  'journal.verify': async () => ({ input: {} }),
  'journal.checkpoint': async () => ({ input: {} }),
  'atlas.load': async ({ fresh }) => ({ input: { manifest: atlasOf(fresh()) } }),
  'atlas.check': async ({ fresh }) => ({ input: { manifest: atlasOf(fresh()) } }),
  'atlas.unload': async ({ done, fresh }) => {
    const manifest = atlasOf(fresh());
    await done('atlas.load', { manifest });
    return { input: { atlas_id: manifest.atlas_id } };
  },
  'carp.session.start': async () => ({ input: { agent_id: 'owner', goal: 'Try it' } }),
  'carp.session.end': async (product) => ({ input: { session_id: await sessionOf(product) } }),
  'carp.resolve': async (product) => ({ input: resolving((await resolved(product)).session) }),
  'carp.may': async (product) => ({ input: { action: `${(await resolved(product)).id}.get` } }),
  'carp.offers': async () => ({ input: { goal: 'Try it' } }),
  'carp.perform': async (product) => ({ input: { action: `${(await resolved(product)).id}.get` } }),
  'questions.ask': async ({ fresh }) => ({ input: { question: `Which of ${fresh()}?` } }),
  'carp.execute': async (product) => {
    const { id, session, resolution } = await resolved(product);
    const { resolution_id } = resolution;
    const execution = { resolution_id, action_id: `${id}.get`, parameters: {}, idempotency_key: null };
    return { input: carp(session, { operation: 'execute', execution }) };
  },
  'approvals.revoke': async (product) => {
    const { resolution } = await resolved(product);
    const { approval_id } = resolution.decision;
    const token = product.tokens.ana;
    await product.done('approvals.decide', { approval_id, decision: 'approve' }, { token });
    return { input: { approval_id }, token };
  },
  'carp.explain': async (product) => {
    const { id } = await resolved(product);
    return { input: { agent_id: 'owner', action_id: `${id}.get` } };
  },
  'trace.verify': async (product) => ({ input: { session_id: await sessionOf(product) } }),
  'trace.replay': async (product) => ({ input: { session_id: (await resolved(product)).session } }),
  'memory.profile.create': async ({ tokens }) => ({ input: { did: OWNER }, token: tokens.ana }),
  'memory.profile.settings': own({ mergeExactDuplicates: true }),
  'memory.add': own({ content: 'Ana likes tea', category: 'a2p:preferences' }),
  'memory.edit': onMemory({ content: 'Ana likes it' }),
  'memory.pin': onMemory({}),
  'memory.unpin': onMemory({}),
  'memory.archive': onMemory({}),
  'memory.confirm': onMemory({}),
  'memory.reclassify': onMemory({ memory_type: 'procedural' }),
  'memory.restore': async (product) => {
    const { id, token } = await memoryOf(product);
    await product.done('memory.archive', { id }, { token });
    return { input: { id }, token };
  },
  'memory.merge': async (product) => {
    const [one, two] = [await memoryOf(product), await memoryOf(product)];
    return { input: { memory_ids: [one.id, two.id] }, token: one.token };
  },
  'memory.unmerge': async (product) => {
    const [one, two] = [await memoryOf(product), await memoryOf(product)];
    const merge = await product.done('memory.merge', { memory_ids: [one.id, two.id] }, { token: one.token });
    return { input: { id: merge.merge_id }, token: one.token };
  },
  'memory.erase': async (product) => {
    const { id, token } = await memoryOf(product);
    return { input: { memory: id }, token };
  },
  'memory.propose': async (product) => {
    await profileOf(product);
    const input = { profile: OWNER, content: `Ana met ${product.fresh()}` };
    return { input, token: product.tokens.bot };
  },
  'memory.capture': async (product) => {
    await profileOf(product);
    const said = { id: 't1', text: `I always drink tea at ${product.fresh()}.`, at: '2026-03-04T11:59:00Z' };
    return { input: { session: 's-1', turns: [said] }, token: product.tokens.bot };
  },
  'memory.proposals.review': async (product) => {
    const { id, token } = await proposalOf(product);
    return { input: { id, action: 'approve' }, token };
  },
  'memory.proposals.withdraw': async (product) => {
    const { id } = await proposalOf(product);
    return { input: { id, profile: OWNER }, token: product.tokens.bot };
  },
  'memory.policy.put': own({ ...PROPOSING, id: 'policy_q' }),
  'memory.policy.template': own({ template: 'minimal' }),
  'memory.policy.delete': async (product) => {
    const { token } = await profileOf(product);
    await product.done('memory.policy.put', { ...PROPOSING, id: 'policy_r' }, { token });
    return { input: { id: 'policy_r' }, token };
  },
  'memory.access.revoke': own({ agent: 'did:a2p:agent:local:rival' }),
  'memory.access.restore': own({ agent: 'did:a2p:agent:local:rival' }),
  'memory.agent.put': own({ did: AGENT, name: 'Bot' }),
  'memory.category.put': own({ category: 'ext:acme:tools', version: '1.0.0', maintainer_did: OWNER }),
  'memory.key.rotate': own({ did: OWNER, public_key: PUBLIC_KEY }),
  'memory.import': own({ format: 'mem0', export: [{ memory: 'Ana is tall' }] }),
  'channel.create': async ({ fresh }) => ({ input: { title: fresh() } }),
  'channel.post': async (product) => ({
    input: { id: await channelOf(product), kind: 'note', payload: { said: 'so' } },
  }),
  'channel.close': async (product) => ({ input: { id: await channelOf(product) } }),
  'channel.lease': async (product) => ({ input: { id: await channelOf(product), holder: 'bot' } }),
  'channel.release': async (product) => {
    const id = await channelOf(product);
    const { fencing_token } = await product.done('channel.lease', { id, holder: 'bot' });
    return { input: { id, fencing_token } };
  },
  'channel.receipt': async (product) => ({
    input: { id: await channelOf(product), agent: 'bot', read_seq: 0 },
  }),
  'channel.request': async () => ({ input: { action: 'build', host: 'local', role: 'worker' } }),
  'channel.verify': async ({ done }) => ({
    input: await done('channel.request', { action: 'build', host: 'local', role: 'worker' }),
  }),
  'relay.peer.register': async ({ fresh, peerUrl }) => ({
    input: { id: fresh(), url: peerUrl, version: '0.3' },
  }),
  'relay.peer.remove': async ({ done, fresh, peerUrl }) => {
    const id = fresh();
    await done('relay.peer.register', { id, url: peerUrl, version: '0.3' });
    return { input: { id } };
  },
  'relay.annotate': async ({ server }) => ({
    input: { trace_id: await sentTrace(server), name: 'outcome', label: 'right' },
  }),
  'relay.annotation.remove': async ({ done, server }) => {
    const trace_id = await sentTrace(server);
    const { annotation_id } = await done('relay.annotate', { trace_id, name: 'outcome', score: 1 });
    return { input: { annotation_id } };
  },
  'relay.price.set': async ({ fresh }) => ({ input: { model: fresh(), input: 1, output: 2 } }),
  'relay.price.remove': async ({ done, fresh }) => {
    const model = fresh();
    await done('relay.price.set', { model, input: 1, output: 2 });
    return { input: { model } };
  },
  'relay.gate': async () => ({ input: { verb: 'build', decision: 'allow', rule: 'r', reason: 'So.' } }),
  'relay.send': async ({ done, fresh, peerUrl }) => {
    const id = fresh();
    await done('relay.peer.register', { id, url: peerUrl, version: '0.3' });
    return { input: { to: id, text: 'Hello' } };
  },
  'relay.replay.plan': async (product) => ({ input: { trace_id: await relayedTrace(product) } }),
  'relay.replay': async (product) => ({ input: { trace_id: await relayedTrace(product) } }),
  'relay.replay.stop': async (product) => {
    const { replay_id } = await product.done('relay.replay', { trace_id: await relayedTrace(product) });
    return { input: { replay_id } };
  },
  'a2p.access.request': async (product) => {
    const { token } = await profileOf(product);
    // Before the policy of a new profile, which lets agents propose and read nothing.
    const reading = { ...PROPOSING, id: 'policy_reading', priority: 1 };
    await product.done('memory.policy.put', reading, { token });
    const input = { did: OWNER, scopes: ['a2p:interests'], purpose: 'personalization' };
    return { input, token: product.tokens.bot };
  },
  'a2p.propose': async (product) => {
    await profileOf(product);
    const input = { did: OWNER, proposal: { content: `Ana saw ${product.fresh()}` } };
    return { input, token: product.tokens.bot };
  },
  'a2p.proposals.review': async (product) => {
    const { id, token } = await proposalOf(product);
    return { input: { did: OWNER, id, action: 'reject' }, token };
  },
  'a2p.proposals.withdraw': async (product) => {
    const { id } = await proposalOf(product);
    return { input: { did: OWNER, id }, token: product.tokens.bot };
  },
};

async function sentTrace(server: TestServer): Promise<string> {
  const traceId = 'abc'.padEnd(32, '0');
  const span = {
    traceId,
    spanId: 'abc'.padEnd(16, '0'),
    name: 'sent',
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  };
  await server.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  return traceId;
}
