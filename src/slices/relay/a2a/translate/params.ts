import { asText, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import type { A2aOperation } from '../methods.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { pushConfigTo03, pushConfigTo10, settingsTo03, settingsTo10 } from './push-config.ts';

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
