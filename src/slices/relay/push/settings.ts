/** Where push notification settings stand in requests and answers, in whichever version and binding. */
import { isObj, type Obj, text } from '../a2a/json.ts';
import type { A2aOperation } from '../a2a/methods.ts';

const WRAPPERS = ['pushNotificationConfig', 'taskPushNotificationConfig', 'pushNotification', 'config'];

export function concernsPush(operation: A2aOperation): boolean {
  return operation.startsWith('push.') || operation === 'send' || operation === 'stream';
}

/** The settings that a request brings: a `push.set`, or the configuration of a message. */
export function pushSettingsIn(operation: A2aOperation, params: Obj): Obj | undefined {
  if (operation === 'push.set') return settingsBelow(params);
  if (operation !== 'send' && operation !== 'stream') return undefined;
  return isObj(params.configuration) ? settingsBelow(withoutUrl(params.configuration)) : undefined;
}

function settingsBelow(holder: Obj): Obj | undefined {
  if (text(holder.url)) return holder;
  for (const name of WRAPPERS) {
    const inner = holder[name];
    if (isObj(inner)) return settingsBelow(inner);
  }
  return undefined;
}

/** A message's configuration is none of the settings itself, whatever it holds. */
function withoutUrl({ url: _, ...configuration }: Obj): Obj {
  return configuration;
}

/** The same value with every object for which `change` has another one replaced; the rest is shared. */
export function replaceObjects(value: unknown, change: (object: Obj) => Obj | undefined): unknown {
  if (Array.isArray(value)) return value.map((member) => replaceObjects(member, change));
  if (!isObj(value)) return value;
  const changed = change(value);
  if (changed) return changed;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceObjects(member, change)]),
  );
}
