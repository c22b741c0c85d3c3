import { join } from 'node:path';
import { createSealingKey } from '../platform/sealing-key.ts';
import { bind } from '../spine/dispatch/registry.ts';
import { notificationErrors } from '../spine/notifications/errors.ts';
import { createNotifications } from '../spine/notifications/notifications.ts';
import { notificationOperations } from '../spine/notifications/operations.ts';
import type { ComposedSlice } from './slice.ts';
import type { Spine } from './spine.ts';

export function composeNotifications(spine: Spine): ComposedSlice {
  const { settings, identity, random } = spine;
  const notifications = createNotifications({
    ...spine,
    limiter: identity.limiter,
    record: identity.record,
    key: createSealingKey({
      given: settings.notifyKey,
      path: join(settings.dataDir, 'notifications.key'),
      random,
      unreadable: () => notificationErrors.notify_key_unreadable(),
    }),
    reach: { allowedHosts: settings.allowedNotifyHosts },
    publicUrl: settings.publicUrl,
  });
  return {
    operations: bind(notificationOperations, notifications.handlers),
    jobs: notifications.jobs,
    served: async (url) => notifications.served(url),
    upkeep: notifications.upkeep,
  };
}
