import { asRecords, asText, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { partTo03, partTo10 } from './part.ts';

export function messageTo10(message: LooseRecord): LooseRecord {
  const { kind: _, role, parts, ...rest } = message;
  return present({
    ...rest,
    role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER',
    parts: asRecords(parts).map(partTo10),
  });
}

export function messageTo03(message: LooseRecord): LooseRecord {
  const { role, parts, contextId, taskId, ...rest } = message;
  return present({
    kind: 'message',
    ...rest,
    contextId: asText(contextId),
    taskId: asText(taskId),
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: asRecords(parts).map(partTo03),
  });
}
