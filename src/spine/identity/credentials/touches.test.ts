import { expect, it } from 'vitest';
import type { Database } from '../../storage/database.ts';
import { describeOnSqlite } from '../../storage/testing.ts';
import { createTouches } from './touches.ts';

describeOnSqlite('marks of use', (open) => {
  const HOUR = 3_600_000_000;

  async function start() {
    const db = await open([]);
    let writes = 0;
    let broken = false;
    const counting = {
      write: (work) => {
        writes++;
        return broken ? Promise.reject(new Error('the disk is full')) : db.write(work);
      },
    } as Pick<Database, 'write'>;
    const touches = createTouches(counting);
    return {
      use: (now: number, last: number | null = null) => touches.touch('k', last, now, HOUR, async () => {}),
      settled: touches.settled,
      writes: () => writes,
      breakDisk: (state: boolean) => {
        broken = state;
      },
    };
  }

  it('are written once an hour, however many requests come meanwhile', async () => {
    const { use, settled, writes } = await start();
    for (let i = 0; i < 50; i++) use(HOUR);
    await settled();
    for (let i = 0; i < 50; i++) use(2 * HOUR - 1);
    expect(writes()).toBe(1);
    use(2 * HOUR);
    await settled();
    expect(writes()).toBe(2);
  });

  it('are not written where another process has just done so', async () => {
    const { use, writes } = await start();
    use(5 * HOUR, 5 * HOUR - 1);
    expect(writes()).toBe(0);
  });

  it('that failed are tried again, and fail no request', async () => {
    const { use, settled, writes, breakDisk } = await start();
    breakDisk(true);
    use(HOUR);
    await settled();
    breakDisk(false);
    use(HOUR + 1);
    await settled();
    use(HOUR + 2);
    expect(writes()).toBe(2);
  });
});
