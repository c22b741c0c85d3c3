/**
 * HTTP+JSON of 0.3 is the JSON of its protobuf messages, which are spelled otherwise than the JSON-RPC of the same
 * version. Here it becomes the latter, and back; the shapes of 1.0, which are close to it, are the way between.
 */
import { isObj, type Obj, objects, present, text } from '../json.ts';
import type { A2aOperation } from '../methods.ts';
import { withLists } from './card.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { requirementsTo03, requirementsTo10, schemesTo03, schemesTo10 } from './security.ts';
import { eventTo03, eventTo10 } from './stream-event.ts';
import { taskTo03, taskTo10 } from './task.ts';

export function paramsFromRest03(operation: A2aOperation, params: Obj): Obj {
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = params;
      return present({
        ...rest,
        message: isObj(message) ? messageTo03(messageFrom(message)) : undefined,
        configuration: isObj(configuration)
          ? renamed(configuration, 'pushNotification', 'pushNotificationConfig')
          : undefined,
      });
    }
    case 'push.set': {
      // The protobuf service wraps it once more than its clients do.
      const config = isObj(params.config) ? params.config : params;
      return present({ taskId: params.taskId, pushNotificationConfig: config.pushNotificationConfig });
    }
    case 'push.get':
    case 'push.delete':
      return present({ id: params.taskId, pushNotificationConfigId: params.id });
    case 'push.list':
      return present({ id: params.taskId });
    default:
      return params;
  }
}

/** The body of a request, where it has one. */
export function bodyToRest03(operation: A2aOperation, params: Obj): Obj | undefined {
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = params;
      return present({
        ...rest,
        message: isObj(message) ? messageInto(messageTo10(message)) : undefined,
        configuration: isObj(configuration)
          ? renamed(configuration, 'pushNotificationConfig', 'pushNotification')
          : undefined,
      });
    }
    case 'push.set':
      return configInto(params);
    case 'cancel':
      return { name: `tasks/${params.id}` };
    default:
      return undefined;
  }
}

export function resultFromRest03(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.delete') return null;
  if (!isObj(result)) return result;
  if (operation === 'push.list') return objects(result.configs).map(configFrom);
  if (operation === 'push.set' || operation === 'push.get') return configFrom(result);
  if (operation === 'get' || operation === 'cancel') return taskTo03(taskFrom(result));
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe')
    return eventTo03(eventFrom(result));
  return operation === 'card' ? cardFrom(result) : result;
}

export function resultToRest03(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.delete') return {};
  if (operation === 'push.list') return { configs: objects(result).map(configInto), nextPageToken: '' };
  if (!isObj(result)) return result;
  if (operation === 'push.set' || operation === 'push.get') return configInto(result);
  if (operation === 'get' || operation === 'cancel') return taskInto(taskTo10(result));
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe') return eventInto(result);
  return operation === 'card' ? cardInto(result) : result;
}

function cardFrom({ security, securitySchemes, ...rest }: Obj): Obj {
  return present({
    ...withLists(rest),
    security: requirementsTo03(security),
    securitySchemes: schemesTo03(securitySchemes),
  });
}

function cardInto({ security, securitySchemes, ...rest }: Obj): Obj {
  return present({
    ...rest,
    security: requirementsTo10(security),
    securitySchemes: schemesTo10(securitySchemes),
  });
}

function eventFrom(event: Obj): Obj {
  if (isObj(event.message)) return { message: messageFrom(event.message) };
  if (isObj(event.statusUpdate)) {
    const { status, final: _, ...rest } = event.statusUpdate;
    return { statusUpdate: { ...rest, status: statusFrom(status) } };
  }
  if (isObj(event.artifactUpdate)) {
    const { artifact, ...rest } = event.artifactUpdate;
    return { artifactUpdate: { ...rest, artifact: artifactFrom(artifact) } };
  }
  return { task: taskFrom(isObj(event.task) ? event.task : event) };
}

function eventInto(event: Obj): Obj {
  const wrapped = eventTo10(event);
  if (isObj(wrapped.message)) return { message: messageInto(wrapped.message) };
  if (isObj(wrapped.statusUpdate)) {
    const { status, ...rest } = wrapped.statusUpdate;
    return { statusUpdate: { ...rest, status: statusInto(status), final: event.final === true } };
  }
  if (isObj(wrapped.artifactUpdate)) {
    const { artifact, ...rest } = wrapped.artifactUpdate;
    return { artifactUpdate: { ...rest, artifact: artifactInto(artifact) } };
  }
  return { task: taskInto(isObj(wrapped.task) ? wrapped.task : {}) };
}

function taskFrom({ status, artifacts, history, ...rest }: Obj): Obj {
  return present({
    ...rest,
    status: statusFrom(status),
    artifacts: artifacts && objects(artifacts).map(artifactFrom),
    history: history && objects(history).map(messageFrom),
  });
}

function taskInto({ status, artifacts, history, ...rest }: Obj): Obj {
  return present({
    ...rest,
    status: statusInto(status),
    artifacts: artifacts && objects(artifacts).map(artifactInto),
    history: history && objects(history).map(messageInto),
  });
}

function statusFrom(status: unknown): Obj {
  const { message, state, ...rest } = isObj(status) ? status : ({} as Obj);
  return present({
    ...rest,
    state: state === 'TASK_STATE_CANCELLED' ? 'TASK_STATE_CANCELED' : state,
    message: isObj(message) ? messageFrom(message) : undefined,
  });
}

function statusInto(status: unknown): Obj {
  const { message, state, ...rest } = isObj(status) ? status : ({} as Obj);
  return present({
    ...rest,
    state: state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state,
    message: isObj(message) ? messageInto(message) : undefined,
  });
}

function messageFrom({ content, ...rest }: Obj): Obj {
  return { ...rest, parts: objects(content).map(partFrom) };
}

function messageInto({ parts, ...rest }: Obj): Obj {
  return { ...rest, content: objects(parts).map(partInto) };
}

function artifactFrom(artifact: unknown): Obj {
  return isObj(artifact) ? { ...artifact, parts: objects(artifact.parts).map(partFrom) } : {};
}

function artifactInto(artifact: unknown): Obj {
  return isObj(artifact) ? { ...artifact, parts: objects(artifact.parts).map(partInto) } : {};
}

function partFrom(part: Obj): Obj {
  const { metadata } = part;
  if (isObj(part.data)) return present({ data: part.data.data, metadata });
  if (!isObj(part.file)) return part;
  const { fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename } = part.file;
  return present({ raw, url: raw === undefined ? url : undefined, mediaType, filename, metadata });
}

function partInto(part: Obj): Obj {
  const { metadata, raw, url, data, mediaType, filename } = part;
  if (data !== undefined) return present({ data: { data }, metadata });
  if (raw === undefined && url === undefined) return part;
  const file = present({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename });
  return present({ file, metadata });
}

const CONFIG_NAME = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]+)$/;

function configFrom({ name, pushNotificationConfig }: Obj): Obj {
  const [, taskId, id] = CONFIG_NAME.exec(text(name) ?? '') ?? [];
  const settings = isObj(pushNotificationConfig) ? pushNotificationConfig : {};
  return present({ taskId, pushNotificationConfig: present({ ...settings, id: text(settings.id) ?? id }) });
}

function configInto({ taskId, pushNotificationConfig }: Obj): Obj {
  const settings = isObj(pushNotificationConfig) ? pushNotificationConfig : {};
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${settings.id ?? ''}`,
    pushNotificationConfig: settings,
  };
}

function renamed(object: Obj, from: string, to: string): Obj {
  const { [from]: value, ...rest } = object;
  return present({ ...rest, [to]: value });
}
