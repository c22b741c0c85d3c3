/**
 * HTTP+JSON of 0.3 is the JSON of its protobuf messages, which are spelled otherwise than the JSON-RPC of the same
 * version. Here it becomes the latter, and back; the shapes of 1.0, which are close to it, are the way between.
 */
import {
  asRecord,
  asRecords,
  asText,
  isRecord,
  type LooseRecord,
  present,
} from '../../../../kernel/json/loose.ts';
import type { A2aOperation } from '../methods.ts';
import { requirementsTo03, requirementsTo10, schemesTo03, schemesTo10, withLists } from './card.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { eventTo03, eventTo10, taskTo03, taskTo10 } from './task.ts';

export function paramsFromRest03(operation: A2aOperation, params: LooseRecord): LooseRecord {
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = params;
      return present({
        ...rest,
        message: isRecord(message) ? messageTo03(messageFrom(message)) : undefined,
        configuration: isRecord(configuration)
          ? renamed(configuration, 'pushNotification', 'pushNotificationConfig')
          : undefined,
      });
    }
    case 'push.set': {
      // The protobuf service wraps it once more than its clients do.
      const config = isRecord(params.config) ? params.config : params;
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
export function bodyToRest03(operation: A2aOperation, params: LooseRecord): LooseRecord | undefined {
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = params;
      return present({
        ...rest,
        message: isRecord(message) ? messageInto(messageTo10(message)) : undefined,
        configuration: isRecord(configuration)
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
  if (!isRecord(result)) return result;
  if (operation === 'push.list') return asRecords(result.configs).map(configFrom);
  if (operation === 'push.set' || operation === 'push.get') return configFrom(result);
  if (operation === 'get' || operation === 'cancel') return taskTo03(taskFrom(result));
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe')
    return eventTo03(eventFrom(result));
  return operation === 'card' ? cardFrom(result) : result;
}

export function resultToRest03(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.delete') return {};
  if (operation === 'push.list') return { configs: asRecords(result).map(configInto), nextPageToken: '' };
  if (!isRecord(result)) return result;
  if (operation === 'push.set' || operation === 'push.get') return configInto(result);
  if (operation === 'get' || operation === 'cancel') return taskInto(taskTo10(result));
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe') return eventInto(result);
  return operation === 'card' ? cardInto(result) : result;
}

function cardFrom({ security, securitySchemes, ...rest }: LooseRecord): LooseRecord {
  return present({
    ...withLists(rest),
    security: requirementsTo03(security),
    securitySchemes: schemesTo03(securitySchemes),
  });
}

function cardInto({ security, securitySchemes, ...rest }: LooseRecord): LooseRecord {
  return present({
    ...rest,
    security: requirementsTo10(security),
    securitySchemes: schemesTo10(securitySchemes),
  });
}

function eventFrom(event: LooseRecord): LooseRecord {
  if (isRecord(event.message)) return { message: messageFrom(event.message) };
  if (isRecord(event.statusUpdate)) {
    const { status, final: _, ...rest } = event.statusUpdate;
    return { statusUpdate: { ...rest, status: statusFrom(status) } };
  }
  if (isRecord(event.artifactUpdate)) {
    const { artifact, ...rest } = event.artifactUpdate;
    return { artifactUpdate: { ...rest, artifact: artifactFrom(artifact) } };
  }
  return { task: taskFrom(isRecord(event.task) ? event.task : event) };
}

function eventInto(event: LooseRecord): LooseRecord {
  const wrapped = eventTo10(event);
  if (isRecord(wrapped.message)) return { message: messageInto(wrapped.message) };
  if (isRecord(wrapped.statusUpdate)) {
    const { status, ...rest } = wrapped.statusUpdate;
    return { statusUpdate: { ...rest, status: statusInto(status), final: event.final === true } };
  }
  if (isRecord(wrapped.artifactUpdate)) {
    const { artifact, ...rest } = wrapped.artifactUpdate;
    return { artifactUpdate: { ...rest, artifact: artifactInto(artifact) } };
  }
  return { task: taskInto(asRecord(wrapped.task)) };
}

function taskFrom({ status, artifacts, history, ...rest }: LooseRecord): LooseRecord {
  return present({
    ...rest,
    status: statusFrom(status),
    artifacts: artifacts && asRecords(artifacts).map(artifactFrom),
    history: history && asRecords(history).map(messageFrom),
  });
}

function taskInto({ status, artifacts, history, ...rest }: LooseRecord): LooseRecord {
  return present({
    ...rest,
    status: statusInto(status),
    artifacts: artifacts && asRecords(artifacts).map(artifactInto),
    history: history && asRecords(history).map(messageInto),
  });
}

function statusFrom(status: unknown): LooseRecord {
  const { message, state, ...rest } = asRecord(status);
  return present({
    ...rest,
    state: state === 'TASK_STATE_CANCELLED' ? 'TASK_STATE_CANCELED' : state,
    message: isRecord(message) ? messageFrom(message) : undefined,
  });
}

function statusInto(status: unknown): LooseRecord {
  const { message, state, ...rest } = asRecord(status);
  return present({
    ...rest,
    state: state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state,
    message: isRecord(message) ? messageInto(message) : undefined,
  });
}

function messageFrom({ content, ...rest }: LooseRecord): LooseRecord {
  return { ...rest, parts: asRecords(content).map(partFrom) };
}

function messageInto({ parts, ...rest }: LooseRecord): LooseRecord {
  return { ...rest, content: asRecords(parts).map(partInto) };
}

function artifactFrom(artifact: unknown): LooseRecord {
  return isRecord(artifact) ? { ...artifact, parts: asRecords(artifact.parts).map(partFrom) } : {};
}

function artifactInto(artifact: unknown): LooseRecord {
  return isRecord(artifact) ? { ...artifact, parts: asRecords(artifact.parts).map(partInto) } : {};
}

function partFrom(part: LooseRecord): LooseRecord {
  const { metadata } = part;
  if (isRecord(part.data)) return present({ data: part.data.data, metadata });
  if (!isRecord(part.file)) return part;
  const { fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename } = part.file;
  return present({ raw, url: raw === undefined ? url : undefined, mediaType, filename, metadata });
}

function partInto(part: LooseRecord): LooseRecord {
  const { metadata, raw, url, data, mediaType, filename } = part;
  if (data !== undefined) return present({ data: { data }, metadata });
  if (raw === undefined && url === undefined) return part;
  const file = present({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename });
  return present({ file, metadata });
}

const CONFIG_NAME = /^tasks\/([^/]+)\/pushNotificationConfigs\/([^/]+)$/;

function configFrom({ name, pushNotificationConfig }: LooseRecord): LooseRecord {
  const [, taskId, id] = CONFIG_NAME.exec(asText(name) ?? '') ?? [];
  const settings = asRecord(pushNotificationConfig);
  return present({ taskId, pushNotificationConfig: present({ ...settings, id: asText(settings.id) ?? id }) });
}

function configInto({ taskId, pushNotificationConfig }: LooseRecord): LooseRecord {
  const settings = asRecord(pushNotificationConfig);
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${settings.id ?? ''}`,
    pushNotificationConfig: settings,
  };
}

function renamed(object: LooseRecord, from: string, to: string): LooseRecord {
  const { [from]: value, ...rest } = object;
  return present({ ...rest, [to]: value });
}
