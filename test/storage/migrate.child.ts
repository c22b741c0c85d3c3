/** Moves a store and kills itself on the way: at a moment of its progress, or once the source is closed for good. */
import { migrateStore } from '../../src/app/migrate-store.ts';
import { readSettings } from '../../src/app/settings.ts';

const [to = '', moment = ''] = process.argv.slice(2);
let moments = 0;
let verified = false;
const die = () => process.kill(process.pid, 'SIGKILL');

await migrateStore(
  readSettings(process.env),
  to,
  (phase, done, total) => {
    verified ||= phase === 'verifying';
    moments += 1;
    if (moment === 'verifying' && phase === 'verifying') die();
    if (moment === 'comparing' && phase === 'comparing' && done > total / 2) die();
    if (String(moments) === moment) die();
  },
  // After the verification, the first thing that is written to the target is that it can be opened.
  { faults: (point) => point === 'begin' && verified && moment === 'moved' && die() },
);
