/**
 * The JSON examples of a2p memory 0.1.0, each standing in the smallest profile that can hold it. What the protocol leaves
 * open is left open here: ids, sources and times are there only where its example has them.
 */
export interface SeedExample {
  readonly of: string;
  readonly profile: Readonly<Record<string, unknown>> & { readonly id: string };
}

const ASSISTANT = 'did:a2p:agent:local:assistant';

const inProfile = (name: string, members: Record<string, unknown>): SeedExample['profile'] => ({
  id: `did:a2p:user:test:${name}`,
  version: '0.1.0',
  profileType: 'human',
  identity: { did: `did:a2p:user:test:${name}` },
  ...members,
});

const typed = {
  'a2p:semantic': [
    {
      id: 'mem_001',
      content: 'User prefers dark mode for coding',
      category: 'a2p:preferences.ui',
      confidence: 0.9,
      status: 'approved',
    },
  ],
  'a2p:procedural': [
    {
      id: 'mem_002',
      content: 'User always asks for pros/cons before decisions',
      category: 'a2p:preferences.communication',
      confidence: 0.85,
      status: 'approved',
    },
  ],
  'a2p:episodic': [
    {
      id: 'mem_003',
      content: 'User asked about Python async on 2026-01-15',
      category: 'a2p:interests.technology',
      confidence: 0.8,
      status: 'approved',
    },
  ],
};

const whole = {
  id: 'mem_abc123',
  content: 'Prefers TypeScript for new projects',
  category: 'a2p:professional.preferences',
  source: {
    type: 'proposal',
    agentDid: ASSISTANT,
    sessionId: 'sess_xyz',
    timestamp: '2025-12-20T14:30:00Z',
  },
  confidence: 0.88,
  status: 'approved',
  sensitivity: 'standard',
  scope: ['work'],
  metadata: { approvedAt: '2025-12-20T14:35:00Z', useCount: 5, lastUsed: '2025-12-25T10:00:00Z' },
};

/** Its end lies before its beginning, as the protocol prints it. */
export const seedProposal = {
  id: 'prop_xyz789',
  agentDid: ASSISTANT,
  content: 'User prefers detailed explanations',
  category: 'a2p:preferences.communication',
  memory_type: 'procedural',
  confidence: 0.85,
  context: 'Based on follow-up questions in conversation',
  status: 'pending',
  proposedAt: '2025-12-25T10:00:00Z',
  expiresAt: '2025-01-01T10:00:00Z',
};

const merged = {
  'a2p:semantic': [
    { id: 'mem_1', content: 'Likes jazz music', status: 'archived' },
    { id: 'mem_2', content: 'Enjoys electronic music', status: 'archived' },
    {
      id: 'mem_3',
      content: 'Music preferences: jazz, electronic',
      consolidatedFrom: ['mem_1', 'mem_2'],
    },
  ],
};

const unknownMembers = {
  'x-vendor': { nested: [1, null, { deep: true }] },
  memories: {
    'a2p:semantic': [{ ...whole, 'x-score': 1.5, source: { ...whole.source, 'x-device': 'watch' } }],
    'a2p:professional': { occupation: 'engineer', skills: ['TypeScript'], experience: { years: 9 } },
    'ext:spotify:music.preferences': { genres: ['jazz'], 'x-plays': 12 },
  },
  accessPolicies: [
    {
      id: 'policy_work1',
      name: 'Work agents',
      agentPattern: 'did:a2p:agent:*',
      permissions: ['read_scoped', 'propose'],
      allow: ['a2p:professional.*'],
      deny: ['a2p:health.*'],
      conditions: { minTrustScore: 0.8, 'x-region': 'north' },
      priority: 0,
    },
  ],
  pendingProposals: [{ ...seedProposal, 'x-trace': 'abc' }],
};

export const seedExamples: readonly SeedExample[] = [
  { of: 'memories of the three types', profile: inProfile('typed', { memories: typed }) },
  {
    of: 'one whole memory',
    profile: inProfile('whole', { memories: { 'a2p:procedural': [whole] } }),
  },
  { of: 'a proposal', profile: inProfile('proposal', { pendingProposals: [seedProposal] }) },
  { of: 'a consolidation', profile: inProfile('merged', { memories: merged }) },
  ...['pending', 'approved', 'rejected', 'expired', 'edited'].map((status) => ({
    of: `a proposal that is ${status}`,
    profile: inProfile(`is-${status}`, {
      pendingProposals: [{ ...seedProposal, status, expiresAt: '2099-01-01T10:00:00Z' }],
    }),
  })),
  {
    of: 'members and structured categories that nobody here knows',
    profile: inProfile('unknown', unknownMembers),
  },
];
