/** Where push notification settings stand in requests and answers, in whichever version and binding. */
import { asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { A2aOperation } from '../a2a/methods.ts';

const WRAPPERS = ['pushNotificationConfig', 'taskPushNotificationConfig', 'pushNotification', 'config'];

export function concernsPush(operation: A2aOperation): boolean {
  return operation.startsWith('push.') || operation === 'send' || operation === 'stream';
}

/** The settings that a request brings: a `push.set`, or the configuration of a message. */
export function pushSettingsIn(operation: A2aOperation, params: LooseRecord): LooseRecord | undefined {
  if (operation === 'push.set') return settingsBelow(params);
  if (operation !== 'send' && operation !== 'stream') return undefined;
  return isRecord(params.configuration) ? settingsBelow(withoutUrl(params.configuration)) : undefined;
}

function settingsBelow(holder: LooseRecord): LooseRecord | undefined {
  if (asText(holder.url)) return holder;
  for (const name of WRAPPERS) {
    const inner = holder[name];
    if (isRecord(inner)) return settingsBelow(inner);
  }
  return undefined;
}

/** A message's configuration is none of the settings itself, whatever it holds. */
function withoutUrl({ url: _, ...configuration }: LooseRecord): LooseRecord {
  return configuration;
}

/** The same value with every object for which `change` has another one replaced; the rest is shared. */
export function replaceObjects(
  value: unknown,
  change: (object: LooseRecord) => LooseRecord | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((member) => replaceObjects(member, change));
  if (!isRecord(value)) return value;
  const changed = change(value);
  if (changed) return changed;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceObjects(member, change)]),
  );
}
