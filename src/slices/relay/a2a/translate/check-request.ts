/**
 * What a request must have to be said in another version or binding. A peer that gets the caller's own bytes judges them
 * itself; one that gets a translation would see what is missing as something that was never said.
 */
import { isRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';
import type { A2aOperation, A2aVersion } from '../methods.ts';

const TASK_MEMBER: Partial<Record<A2aOperation, Readonly<Record<A2aVersion, string>>>> = {
  get: { '0.3': 'id', '1.0': 'id' },
  cancel: { '0.3': 'id', '1.0': 'id' },
  subscribe: { '0.3': 'id', '1.0': 'id' },
  'push.set': { '0.3': 'taskId', '1.0': 'taskId' },
  'push.get': { '0.3': 'id', '1.0': 'taskId' },
  'push.list': { '0.3': 'id', '1.0': 'taskId' },
  'push.delete': { '0.3': 'id', '1.0': 'taskId' },
};

const ROLES: Readonly<Record<A2aVersion, readonly string[]>> = {
  '0.3': ['user', 'agent'],
  '1.0': ['ROLE_USER', 'ROLE_AGENT'],
};

/** What is wrong with the params of a request of this version; undefined where they can be translated. */
export function faultOf(
  operation: A2aOperation,
  version: A2aVersion,
  params: LooseRecord,
): string | undefined {
  if (operation === 'send' || operation === 'stream') return faultOfMessage(version, params.message);
  const member = TASK_MEMBER[operation]?.[version];
  return member && !isName(params[member]) ? `\`${member}\` must name a task.` : undefined;
}

function faultOfMessage(version: A2aVersion, message: unknown): string | undefined {
  if (!isRecord(message)) return '`message` is missing.';
  if (!isName(message.messageId)) return '`message.messageId` must be a text that is not empty.';
  if (!ROLES[version].includes(message.role as string))
    return `\`message.role\` must be ${ROLES[version].join(' or ')}.`;
  if (!Array.isArray(message.parts) || message.parts.length === 0)
    return '`message.parts` must have at least one part.';
  const isPart = version === '0.3' ? isPart03 : isPart10;
  const wrong = message.parts.findIndex((part) => !isRecord(part) || !isPart(part));
  return wrong < 0 ? undefined : `\`message.parts[${wrong}]\` is no part of A2A ${version}.`;
}

function isPart03({ kind, text, data, file }: LooseRecord): boolean {
  if (kind === 'text') return typeof text === 'string';
  if (kind === 'data') return isRecord(data);
  if (kind !== 'file' || !isRecord(file)) return false;
  return (typeof file.bytes === 'string') !== (typeof file.uri === 'string');
}

function isPart10(part: LooseRecord): boolean {
  const said = ['text', 'raw', 'url', 'data'].filter((member) => part[member] !== undefined);
  const [only] = said;
  return said.length === 1 && only !== undefined && (only === 'data' || typeof part[only] === 'string');
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
