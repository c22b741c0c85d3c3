/** Which chain of a session: CRA's own events, or the namespaced events of everything else. */
export type ChainKind = 'trace' | 'ledger';

/** All that CRA knows. */
export const TRACE_EVENT_TYPES = [
  'session.started',
  'session.ended',
  'carp.request.received',
  'carp.resolution.completed',
  'carp.resolution.cached',
  'action.requested',
  'action.approved',
  'action.denied',
  'action.executed',
  'action.failed',
  'policy.evaluated',
  'policy.violated',
  'context.injected',
  'context.redacted',
  'error.occurred',
] as const;

export type TraceEventType = (typeof TRACE_EVENT_TYPES)[number];

const traceTypes: ReadonlySet<string> = new Set(TRACE_EVENT_TYPES);
const LEDGER_TYPE = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;

export function isEventType(kind: ChainKind, text: string): boolean {
  return kind === 'trace' ? traceTypes.has(text) : LEDGER_TYPE.test(text);
}
