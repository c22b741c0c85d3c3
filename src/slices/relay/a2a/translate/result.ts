import { asRecords, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import type { A2aOperation } from '../methods.ts';
import { cardTo03, cardTo10 } from './card.ts';
import { pushConfigTo03, pushConfigTo10 } from './push-config.ts';
import { eventTo03, eventTo10 } from './stream-event.ts';
import { taskTo03, taskTo10 } from './task.ts';

export function resultTo10(operation: A2aOperation, result: unknown): unknown {
  if (operation === 'push.list') {
    return {
      configs: (Array.isArray(result) ? result.filter(isRecord) : []).map(pushConfigTo10),
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
  if (operation === 'list')
    return present({ ...result, tasks: asRecords((result as LooseRecord).tasks).map(taskTo03) });
  return operation === 'card' ? cardTo03(result) : result;
}
