/** Bodies that are documents of a protocol, and those of which not all members go together. */
const request = {
  carp_version: '1.0',
  request_id: '018f4c1e-7a5b-7c3d-9e2f-1a2b3c4d5e6f',
  timestamp: '2026-01-05T12:00:00Z',
  requester: { agent_id: 'shop-bot', session_id: '018f4c1e-0000-7c3d-9e2f-1a2b3c4d5e6f' },
};

const atlas = {
  atlas_version: '1.0',
  atlas_id: 'com.example.shop',
  version: '1.0.0',
  name: 'Shop',
  description: 'What agents of the shop may do',
  actions: [
    {
      action_id: 'order.refund',
      name: 'Refund',
      description: 'Pays money back to the customer',
      parameters_schema: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
    },
  ],
  policies: [
    {
      policy_id: 'small-refunds',
      type: 'allow',
      actions: ['order.refund'],
      parameters: { when: { amount: { gt: 0, lte: 100 } } },
    },
  ],
};

const replay = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  to: ['shop-bot=shop-bot-next'],
  altered: false,
};

const INVITATION = `baton_invite_${'5c'.repeat(32)}`;

/** Only what `memory.propose` needs as well. */
const proposal = {
  content: 'Refunds above 50 EUR wait for a person.',
  category: 'a2p:preferences',
  confidence: 0.9,
};

export const EXAMPLES: Readonly<Record<string, unknown>> = {
  'a2p.propose': proposal,
  'atlas.load': atlas,
  'atlas.check': atlas,
  'atlas.impact': { ...atlas, version: '1.1.0' },
  'carp.resolve': {
    ...request,
    operation: 'resolve',
    task: { goal: 'Refund order A-17', risk_tier: 'low' },
    atlas_ids: ['com.example.shop'],
  },
  'carp.execute': {
    ...request,
    operation: 'execute',
    execution: {
      resolution_id: '018f4c1e-1111-7c3d-9e2f-1a2b3c4d5e6f',
      action_id: 'order.refund',
      parameters: { amount: 20 },
      idempotency_key: 'refund-A-17',
    },
  },
  'invitations.look': { invitation: INVITATION },
  'invitations.accept': { invitation: INVITATION, passphrase: 'correct horse battery staple' },
  'relay.replay': replay,
  'relay.replay.plan': replay,
};
