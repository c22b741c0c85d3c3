export type A2aVersion = '0.3' | '1.0';
/** `GRPC` is translated to and from JSON-RPC where it comes in and where it goes out; between there it is spelled as that. */
export type A2aBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

export const A2A_BINDINGS: readonly A2aBinding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];

/** What A2A can be asked, whatever version and binding spell it. */
export type A2aOperation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'push.set'
  | 'push.get'
  | 'push.list'
  | 'push.delete'
  | 'card';

const NAMES: Readonly<Record<A2aOperation, { readonly '0.3': string; readonly '1.0': string }>> = {
  send: { '0.3': 'message/send', '1.0': 'SendMessage' },
  stream: { '0.3': 'message/stream', '1.0': 'SendStreamingMessage' },
  get: { '0.3': 'tasks/get', '1.0': 'GetTask' },
  list: { '0.3': 'tasks/list', '1.0': 'ListTasks' },
  cancel: { '0.3': 'tasks/cancel', '1.0': 'CancelTask' },
  subscribe: { '0.3': 'tasks/resubscribe', '1.0': 'SubscribeToTask' },
  'push.set': { '0.3': 'tasks/pushNotificationConfig/set', '1.0': 'CreateTaskPushNotificationConfig' },
  'push.get': { '0.3': 'tasks/pushNotificationConfig/get', '1.0': 'GetTaskPushNotificationConfig' },
  'push.list': { '0.3': 'tasks/pushNotificationConfig/list', '1.0': 'ListTaskPushNotificationConfigs' },
  'push.delete': { '0.3': 'tasks/pushNotificationConfig/delete', '1.0': 'DeleteTaskPushNotificationConfig' },
  card: { '0.3': 'agent/getAuthenticatedExtendedCard', '1.0': 'GetExtendedAgentCard' },
};

const BY_NAME = new Map<string, { operation: A2aOperation; version: A2aVersion }>();
for (const [operation, names] of Object.entries(NAMES) as [A2aOperation, (typeof NAMES)['send']][]) {
  BY_NAME.set(names['0.3'], { operation, version: '0.3' });
  BY_NAME.set(names['1.0'], { operation, version: '1.0' });
}

export function methodName(operation: A2aOperation, version: A2aVersion): string {
  return NAMES[operation][version];
}

export function operationOf(method: string): { operation: A2aOperation; version: A2aVersion } | undefined {
  return BY_NAME.get(method);
}

export function isStreaming(operation: A2aOperation): boolean {
  return operation === 'stream' || operation === 'subscribe';
}

/** Whether it changes nothing at the agent, however often it is asked. */
export function isReading(operation: A2aOperation): boolean {
  return READING.has(operation);
}

const READING: ReadonlySet<A2aOperation> = new Set(['get', 'list', 'push.get', 'push.list', 'card']);

/** `Major.Minor` of a version as cards and headers write it. */
export function readVersion(value: string | null | undefined): A2aVersion | undefined {
  const [major, minor] = (value ?? '').trim().split('.');
  if (major === '1') return '1.0';
  return major === '0' && (minor === '3' || minor === '2') ? '0.3' : undefined;
}

/** Whether a caller's `A2A-Version` is one that is spoken here; none at all means 0.3. */
export function isSpokenVersion(header: string | undefined): boolean {
  return !header?.trim() || /^\s*(0\.[23]|1\.0)(\.\d+)?\s*$/.test(header);
}
