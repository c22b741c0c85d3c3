import { type Obj, objects, present, text } from '../json.ts';
import { partTo03, partTo10 } from './part.ts';

export function messageTo10(message: Obj): Obj {
  const { kind: _, role, parts, ...rest } = message;
  return present({
    ...rest,
    role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER',
    parts: objects(parts).map(partTo10),
  });
}

export function messageTo03(message: Obj): Obj {
  const { role, parts, contextId, taskId, ...rest } = message;
  return present({
    kind: 'message',
    ...rest,
    contextId: text(contextId),
    taskId: text(taskId),
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: objects(parts).map(partTo03),
  });
}
