/** Writes pairs to the store of argv[2] and says the id of each on stdout once it is acknowledged. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { addPair, PAIRS } from './pairs.ts';

const [url = '', name = '', count = '0', fault = '', when = '0'] = process.argv.slice(2);
let seen = 0;
const db = await openDatabase(url, {
  lockWaitMs: 120_000,
  faults: (point) => {
    if (point === fault && ++seen === Number(when)) process.kill(process.pid, 'SIGKILL');
  },
});
await db.migrate(PAIRS);
let next = 0;
const writeOneAfterAnother = async () => {
  while (next < Number(count)) {
    const id = `${name}-${next++}`;
    await db.write((uow) => addPair(uow, id));
    writeSync(1, `${id}\n`);
  }
};
await Promise.all(Array.from({ length: 16 }, writeOneAfterAnother));
await db.close();
