/** Params and results of each A2A operation, from one version to the other. */
import {
  asRecord,
  asRecords,
  asText,
  isRecord,
  type LooseRecord,
  present,
} from '../../../../kernel/json/loose.ts';
import type { A2aOperation } from '../methods.ts';
import { cardTo03, cardTo10 } from './card.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { eventTo03, eventTo10, taskTo03, taskTo10 } from './task.ts';

export function paramsTo10(operation: A2aOperation, params: LooseRecord): LooseRecord {
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = params;
      return present({
        ...rest,
        message: isRecord(message) ? messageTo10(message) : message,
        configuration: isRecord(configuration) ? configurationTo10(configuration) : undefined,
      });
    }
    case 'push.set':
      return pushConfigTo10(params);
    case 'push.get':
    case 'push.delete':
      return present({ taskId: params.id, id: params.pushNotificationConfigId ?? params.id });
    case 'push.list':
      return present({ taskId: params.id });
    default:
      return params;
  }
}

export function paramsTo03(operation: A2aOperation, params: LooseRecord): LooseRecord {
  const { tenant: _, ...own } = params;
  switch (operation) {
    case 'send':
    case 'stream': {
      const { message, configuration, ...rest } = own;
      return present({
        ...rest,
        message: isRecord(message) ? messageTo03(message) : message,
        configuration: isRecord(configuration) ? configurationTo03(configuration) : undefined,
      });
    }
    case 'push.set':
      return pushConfigTo03(own);
    case 'push.get':
    case 'push.delete':
      return present({ id: own.taskId, pushNotificationConfigId: asText(own.id) });
    case 'push.list':
      return present({ id: own.taskId });
    default:
      return own;
  }
}

function configurationTo10(configuration: LooseRecord): LooseRecord {
  const { blocking, pushNotificationConfig, ...rest } = configuration;
  return present({
    ...rest,
    returnImmediately: blocking === undefined ? undefined : !blocking,
    taskPushNotificationConfig: isRecord(pushNotificationConfig)
      ? settingsTo10(pushNotificationConfig)
      : undefined,
  });
}

function configurationTo03(configuration: LooseRecord): LooseRecord {
  const { returnImmediately, taskPushNotificationConfig, ...rest } = configuration;
  return present({
    ...rest,
    // 1.0 waits unless told otherwise, 0.3 leaves it to the agent.
    blocking: returnImmediately !== true,
    pushNotificationConfig: isRecord(taskPushNotificationConfig)
      ? settingsTo03(taskPushNotificationConfig)
      : undefined,
  });
}

export function resultTo10(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.list') {
    return {
      configs: asRecords(result).map(pushConfigTo10),
      nextPageToken: '',
    };
  }
  if (operation === 'push.delete') return {};
  if (!isRecord(result)) return result;
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe') return eventTo10(result);
  if (operation === 'get' || operation === 'cancel') return taskTo10(result);
  if (operation === 'push.set' || operation === 'push.get') return pushConfigTo10(result);
  return operation === 'card' ? cardTo10(result) : result;
}

export function resultTo03(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.list') return asRecords(isRecord(result) ? result.configs : []).map(pushConfigTo03);
  if (operation === 'push.delete') return null;
  if (!isRecord(result)) return result;
  if (operation === 'send' || operation === 'stream' || operation === 'subscribe') return eventTo03(result);
  if (operation === 'get' || operation === 'cancel') return taskTo03(result);
  if (operation === 'push.set' || operation === 'push.get') return pushConfigTo03(result);
  if (operation === 'list') return present({ ...result, tasks: asRecords(result.tasks).map(taskTo03) });
  return operation === 'card' ? cardTo03(result) : result;
}

/** 0.3 nests `{taskId, pushNotificationConfig}`, 1.0 writes one flat object and one scheme instead of a list. */
function pushConfigTo10(config: LooseRecord): LooseRecord {
  const inner = asRecord(config.pushNotificationConfig);
  return present({ taskId: config.taskId, ...settingsTo10(inner) });
}

function pushConfigTo03(config: LooseRecord): LooseRecord {
  const { taskId, tenant: _, ...inner } = config;
  return present({ taskId, pushNotificationConfig: settingsTo03(inner) });
}

function settingsTo10(settings: LooseRecord): LooseRecord {
  const { authentication, ...rest } = settings;
  if (!isRecord(authentication)) return present(rest);
  const { credentials } = authentication;
  return present({ ...rest, authentication: present({ scheme: schemeOf(authentication), credentials }) });
}

function settingsTo03(settings: LooseRecord): LooseRecord {
  const { authentication, tenant: _tenant, taskId: _taskId, ...rest } = settings;
  const kept = present({ ...rest, id: asText(rest.id), token: asText(rest.token) });
  if (!isRecord(authentication)) return kept;
  const scheme = schemeOf(authentication);
  return {
    ...kept,
    authentication: present({
      schemes: scheme ? [scheme] : [],
      credentials: asText(authentication.credentials),
    }),
  };
}

/** In either spelling: what a client had set is shown to it through a peer of the other version. */
function schemeOf({ scheme, schemes }: LooseRecord): string | undefined {
  return asText(scheme) ?? (Array.isArray(schemes) ? asText(schemes[0]) : undefined);
}
