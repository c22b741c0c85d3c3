import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';

/** What a message says to an agent, apart from the ids that tie it to one conversation. */
export interface SentMessage {
  readonly role: 'user' | 'agent';
  readonly parts: readonly unknown[];
  readonly rest: RestOfMessage;
}

/** What is said besides the parts: of the message (metadata, references), and of its request (configuration). */
export interface RestOfMessage {
  readonly message: LooseRecord;
  readonly request: LooseRecord;
}

const OF_ONE_CONVERSATION: ReadonlySet<string> = new Set([
  'kind',
  'role',
  'parts',
  'messageId',
  'contextId',
  'taskId',
]);
/** Where an agent is to send notices: to the address of somebody who waits for them once. */
const NOTICES: ReadonlySet<string> = new Set(['pushNotificationConfig', 'taskPushNotificationConfig']);

export function sentMessage(params: LooseRecord, role: SentMessage['role']): SentMessage {
  const message = isRecord(params.message) ? params.message : {};
  const { message: _, ...request } = params;
  const { configuration } = request;
  return {
    role,
    parts: Array.isArray(message.parts) ? message.parts : [],
    rest: {
      message: without(message, OF_ONE_CONVERSATION),
      request: isRecord(configuration)
        ? { ...request, configuration: without(configuration, NOTICES) }
        : request,
    },
  };
}

/** Two that have the same text say the same. */
export function textOfSent({ role, parts, rest }: SentMessage): string {
  return JSON.stringify([role, parts, rest.message, rest.request]);
}

function without(record: LooseRecord, names: ReadonlySet<string>): LooseRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}
