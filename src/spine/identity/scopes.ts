/** Every scope that an operation may require. Operations that need no credential use `open` instead. */
export const scopes = {
  self: 'Show the current actor, prove presence and sign out. Every credential has it.',
  'journal:read': 'Read and follow the events of the journal.',
  'journal:verify': 'Verify the journal, and fetch proofs and checkpoints.',
  'inbox:read': 'List decisions that wait for a person.',
  'inbox:decide': 'Decide items in the inbox.',
  'approvals:decide': 'Approve or reject a governed action.',
  'projects:read': 'See projects and their settings.',
  'projects:write': 'Create, change, archive and restore projects.',
  'sessions:read': 'See sessions and find them by callsign.',
  'sessions:write': 'Start and end sessions.',
  'packages:read': 'Read packages and what is built from them: orientation, digests, reviews.',
  'packages:write': 'Deposit packages and send them to review.',
  'facts:read': 'Query facts, current and past.',
  'facts:write': 'Assert and invalidate facts.',
  'search:read': 'Search the content of a project.',
  'carp:resolve': 'Ask what an agent may do.',
  'carp:execute': 'Run a governed action.',
  'atlas:read': 'Read atlases and analyse their policies.',
  'atlas:write': 'Load and unload atlases.',
  'trace:read': 'Read, replay and compare the traces of sessions.',
  'trace:write': 'Send spans to the collector.',
  'memory:read': 'Read the memories a person has shared.',
  'memory:propose': 'Propose a memory to the person it is about.',
  'memory:own': 'Manage a profile: consent, accept, change and erase its memories.',
  'delivery:read': 'See runs, turns and gates.',
  'delivery:run': 'Start runs, take turns and submit their results.',
  'relay:send': 'Send messages to agents through the relay.',
  'relay:manage': 'Register peers and change their addresses.',
  'channel:read': 'Read the messages of a channel.',
  'channel:write': 'Open channels and post to them.',
  'channel:manage': 'Close channels and change their members.',
  'why:read': 'Trace an action back to the rule, package, fact, memory and person behind it.',
  'dashboard:open': 'Create one-time links to the dashboard.',
  'keys:manage': 'Create, list and revoke keys, never with more permissions than one’s own.',
  'metrics:read': 'Read the metrics of the server.',
  import: 'Import records made by other actors.',
  admin: 'Operate the server: backup, retention, checkpoints, settings.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

/** To write under any name is more than to do anything under one's own, so that `*` stops short of it. */
const BY_NAME_ONLY: ReadonlySet<string> = new Set<Scope>(['import']);

/** Whether granted patterns cover a scope: `*` covers all but `import`, `facts:*` the family `facts`, else itself. */
export function grantsScope(granted: ReadonlySet<string>, scope: string): boolean {
  if (granted.has(scope)) return true;
  if (BY_NAME_ONLY.has(scope)) return false;
  if (granted.has('*')) return true;
  const colon = scope.indexOf(':');
  return colon > 0 && granted.has(`${scope.slice(0, colon)}:*`);
}

/** Whether every scope covered by `wanted` is granted. Keeps a credential from creating a wider one. */
export function grantsPattern(granted: ReadonlySet<string>, wanted: string): boolean {
  return wanted === '*' ? granted.has('*') : grantsScope(granted, wanted);
}

/** A pattern that grants something: a listed scope, the family of one, or `*`. */
export function isScopePattern(text: string): boolean {
  if (text === '*' || Object.hasOwn(scopes, text)) return true;
  const family = text.endsWith(':*') ? text.slice(0, -1) : undefined;
  return family !== undefined && Object.keys(scopes).some((scope) => scope.startsWith(family));
}
