import { askForDecision } from '../browser/ask-for-decision.ts';
import { type Flat, requests } from '../operations/requests.ts';
import { PASSPHRASE, type World } from './world.ts';

export interface Row {
  readonly operation: string;
  /** Where one operation is several to whoever may ask it. */
  readonly note?: string;
  /** A request that somebody may make; without one, it is only seen whether a credential gets as far as the operation. */
  readonly valid?: (world: World) => Promise<Flat>;
}

const decision = (risk: 'medium' | 'high') => async (world: World) => {
  const id = await askForDecision(world.server, `Question ${world.product.fresh()}`, risk);
  const { digest } = await world.server.client.call('inbox.get', { id });
  return { id, digest, decision: 'approve' };
};

/** An agent's call that policy stops for a person. */
async function approval({ product }: World): Promise<Flat> {
  const { done, fresh, tokens } = product;
  const name = fresh();
  await done('atlas.load', {
    manifest: {
      atlas_version: '1.0',
      atlas_id: `com.example.${name}`,
      version: '1.0.0',
      name,
      description: 'For a test.',
      actions: [{ action_id: `${name}.drop`, name: 'Drop', description: 'Drops it.', executor: 'mock' }],
      policies: [{ policy_id: 'ask', type: 'require_approval', actions: ['*'] }],
    },
  });
  const asking = { token: tokens.bot };
  const { session_id } = await done('carp.session.start', { agent_id: 'bot', goal: 'Drop' }, asking);
  const carp = (more: object) => ({
    request: {
      carp_version: '1.0',
      request_id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      requester: { agent_id: 'bot', session_id },
      ...more,
    },
  });
  const { resolution_id } = await done(
    'carp.resolve',
    carp({ operation: 'resolve', task: { goal: 'Drop' } }),
    asking,
  );
  const execution = { resolution_id, action_id: `${name}.drop`, parameters: {}, idempotency_key: null };
  await product.ask('carp.execute', carp({ operation: 'execute', execution }), asking);
  const { items } = await done('approvals.list', {});
  const mine = items.find((item: { action_ids: string[] }) => item.action_ids.includes(`${name}.drop`));
  return { approval_id: mine.approval_id, decision: 'approve' };
}

const passkeyAnswer = (response: object) => ({
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response,
  clientExtensionResults: {},
});

/** What the table of valid requests has not, or what is more than one thing. */
const special: Readonly<Record<string, readonly Omit<Row, 'operation'>[]>> = {
  'inbox.decide': [
    { note: 'medium risk', valid: decision('medium') },
    { note: 'high risk', valid: decision('high') },
  ],
  'inbox.decide_many': (['medium', 'high'] as const).map((risk) => ({
    note: `${risk} risk`,
    valid: async (world) => {
      const { id, digest } = await decision(risk)(world);
      return { decision: 'approve', decisions: [{ id, digest }] };
    },
  })),
  'approvals.decide': [{ valid: approval }],
  'keys.create': [
    {
      note: 'for an agent',
      valid: async ({ product }) => ({ actor_id: product.fresh(), actor_type: 'agent', scopes: ['self'] }),
    },
    {
      note: 'for a person',
      valid: async ({ product }) => ({ actor_id: product.fresh(), actor_type: 'human', scopes: ['self'] }),
    },
    {
      note: 'that speaks for others',
      valid: async ({ product }) => ({
        actor_id: product.fresh(),
        actor_type: 'agent',
        scopes: ['self'],
        speaks_for: ['ext-*'],
      }),
    },
  ],
  'invitations.create': [{ valid: async ({ product }) => ({ actor_id: product.fresh() }) }],
  // Nothing is sent: the address is only looked at.
  'notifications.mail_set': [
    { valid: async () => ({ host: '1.1.1.1', security: 'none', from: 'baton@example.com' }) },
  ],
  'notifications.add': [
    {
      valid: async ({ product }) => {
        const { channels } = await product.done('notifications.list', {});
        for (const { channel_id } of channels) await product.done('notifications.remove', { channel_id });
        return { kind: 'browser' };
      },
    },
  ],
  'memory.profile.create': [
    { note: 'for another', valid: async ({ product }) => ({ did: `did:a2p:user:local:${product.fresh()}` }) },
  ],
  'passkeys.start_registration': [{ valid: async ({ url }) => ({ origin: url }) }],
  'passkeys.start_proof': [{ valid: async ({ url }) => ({ origin: url }) }],
  'passkeys.register': [
    { valid: async () => ({ answer: passkeyAnswer({ clientDataJSON: 'AA', attestationObject: 'AA' }) }) },
  ],
  'passkeys.prove': [
    {
      valid: async () => ({
        answer: passkeyAnswer({ clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }),
      }),
    },
  ],
  'identity.login': [{ valid: async () => ({ passphrase: PASSPHRASE }) }],
  'identity.passphrase_set': [{ valid: async () => ({ passphrase: PASSPHRASE, current: PASSPHRASE }) }],
  'identity.dashboard_open': [
    { valid: async ({ product }) => ({ link: (await product.done('identity.dashboard_link', {})).link }) },
  ],
};

/** Asked last, because each changes who is present or signed in. */
const LAST = ['identity.login', 'identity.passphrase_set', 'identity.dashboard_leave'];

export function rowsOf(names: readonly string[]): Row[] {
  const rows = names.flatMap((operation): Row[] => {
    const own = special[operation];
    if (own) return own.map((row) => ({ operation, ...row }));
    const known = requests[operation];
    return [
      known ? { operation, valid: async (world) => (await known(world.product)).input } : { operation },
    ];
  });
  const order = (row: Row) => LAST.indexOf(row.operation);
  return rows.sort((a, b) => order(a) - order(b));
}
