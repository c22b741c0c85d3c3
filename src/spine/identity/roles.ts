import type { Scope } from './scopes.ts';

const reading = [
  'journal:read',
  'journal:verify',
  'inbox:read',
  'projects:read',
  'sessions:read',
  'packages:read',
  'facts:read',
  'search:read',
  'atlas:read',
  'trace:read',
  'delivery:read',
  'channel:read',
  'why:read',
] as const satisfies readonly Scope[];

const working = [
  'sessions:write',
  'packages:write',
  'facts:write',
  'carp:resolve',
  'carp:execute',
  'memory:read',
  'memory:propose',
  'delivery:run',
  'relay:send',
  'channel:write',
] as const satisfies readonly Scope[];

/** Named sets of scopes. An agent works but never decides: only a person's credential can decide inbox items. */
export const roles = {
  owner: ['*', 'import'],
  human: [
    ...reading,
    ...working,
    'inbox:decide',
    'approvals:decide',
    'projects:write',
    'memory:own',
    'dashboard:open',
  ],
  agent: [...reading, ...working],
  reader: reading,
  importer: [...reading, 'import', 'packages:write', 'facts:write', 'sessions:write', 'projects:write'],
} as const satisfies Record<string, readonly (Scope | '*')[]>;

export type Role = keyof typeof roles;
