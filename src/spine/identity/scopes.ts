/** Every scope that an operation may ask for. An operation that needs no credential says `open` instead. */
export const scopes = {
  self: 'Ask who one is, prove presence and sign out. Every credential has it.',
  'journal:read': 'Read and follow the events of the journal.',
  'journal:verify': 'Verify the journal, and get proofs and checkpoints.',
  'inbox:read': 'See which decisions wait for a person.',
  'inbox:decide': 'Decide what waits in the inbox.',
  'approvals:decide': 'Approve or reject a governed action.',
  'projects:read': 'See projects and their settings.',
  'projects:write': 'Create, change, archive and restore projects.',
  'sessions:read': 'See sessions and find them by callsign.',
  'sessions:write': 'Start and end sessions.',
  'packages:read': 'Read packages and what is built from them: orientation, digests, reviews.',
  'packages:write': 'Deposit packages and send them to review.',
  'facts:read': 'Query facts, now and as they stood.',
  'facts:write': 'Assert and invalidate facts.',
  'search:read': 'Search the texts of a project.',
  'carp:resolve': 'Ask what an agent may do.',
  'carp:execute': 'Run a governed action.',
  'atlas:read': 'Read atlases and analyse their policies.',
  'atlas:write': 'Load and unload atlases.',
  'trace:read': 'Read, replay and compare the traces of sessions.',
  'trace:write': 'Send spans to the collector.',
  'memory:read': 'Read the memories that a person has shared.',
  'memory:propose': 'Propose a memory to its person.',
  'memory:own': 'Keep a profile: consent, accept, change and erase its memories.',
  'delivery:read': 'See runs, turns and gates.',
  'delivery:run': 'Start runs, take turns and hand in their results.',
  'relay:send': 'Send messages to agents through the relay.',
  'relay:manage': 'Register peers and change how they are reached.',
  'channel:read': 'Read the messages of a channel.',
  'channel:write': 'Open channels and post to them.',
  'channel:manage': 'Close channels and change who takes part.',
  'why:read': 'Ask from which rule, package, fact, memory and person an action came.',
  'dashboard:open': 'Make one-time links to the dashboard.',
  'keys:manage': 'Create, list and revoke credentials, never beyond what the own one may do.',
  'metrics:read': 'Read the metrics of the server.',
  import: 'Bring in records that other actors made.',
  admin: 'Operate the server: backup, retention, checkpoints, settings.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

/** Whether granted patterns cover a scope: `*` covers all, `facts:*` the family `facts`, anything else itself. */
export function grantsScope(granted: ReadonlySet<string>, scope: string): boolean {
  if (granted.has('*') || granted.has(scope)) return true;
  const colon = scope.indexOf(':');
  return colon > 0 && granted.has(`${scope.slice(0, colon)}:*`);
}

/** Whether every scope that `wanted` stands for is granted: what keeps a credential from making a wider one. */
export function grantsPattern(granted: ReadonlySet<string>, wanted: string): boolean {
  if (granted.has('*')) return true;
  return wanted !== '*' && grantsScope(granted, wanted);
}

/** A pattern that grants something: a listed scope, the family of one, or `*`. */
export function isScopePattern(text: string): boolean {
  if (text === '*' || Object.hasOwn(scopes, text)) return true;
  const family = text.endsWith(':*') ? text.slice(0, -1) : undefined;
  return family !== undefined && Object.keys(scopes).some((scope) => scope.startsWith(family));
}
