/** Tells what is to be told, at a given time, and dies by its own hand after so many statements. */

import { notificationTestMigrations, testNotifications } from '../../src/spine/notifications/testing.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';

const [url = '', now = '', seed = '0', statements = '0'] = process.argv.slice(2);
let left = Number.POSITIVE_INFINITY;
const db = await openDatabase(url, {
  faults: () => {
    left -= 1;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
  },
});
await db.migrate(notificationTestMigrations);
const rig = await testNotifications(db, Number(seed));
rig.inbox.register('review', { apply: 'rows', run: async () => {} });
rig.clock.set(now);
left = Number(statements);
for (let round = 0; round < 3; round += 1) await rig.round();
await db.close();
