import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../open.ts';
import { describeOnPostgres, insertNote, NOTES, noteIds } from '../testing.ts';

/** A way to the server that falls silent, as one to a frozen or unreachable machine does, while a new way is still open. */
async function startWay(url: string) {
  const { port, hostname } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((inward) => {
    const outward = connect(Number(port || 5432), hostname);
    const pair = [inward, outward] as const;
    pairs.add(pair);
    for (const end of pair) {
      end.on('error', () => undefined);
      end.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    inward.pipe(outward).pipe(inward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  const address = new URL(url);
  address.host = `127.0.0.1:${typeof place === 'object' ? place?.port : ''}`;
  return {
    url: address.href,
    /** Of the connections that there are. */
    fallSilent() {
      for (const [inward, outward] of pairs) {
        inward.unpipe();
        outward.unpipe();
        outward.pause();
      }
    },
    close() {
      server.close();
      for (const pair of pairs) for (const end of pair) end.destroy();
    },
  };
}

describeOnPostgres('a server that says nothing any more', (open) => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('is asked anew by other connections, and whoever waited gets an answer', async () => {
    const direct = await open(NOTES);
    const way = await startWay(open.urlOf(direct));
    ends.push(() => way.close());
    const db = await openDatabase(way.url);
    ends.push(() => db.close());
    let heard = 0;
    db.onCommit(() => heard++);
    await db.write((uow) => insertNote(uow, 'before'));
    await expect.poll(() => heard).toBeGreaterThan(0);
    way.fallSilent();
    const [reading, writing] = await Promise.allSettled([
      noteIds(db),
      db.write((uow) => insertNote(uow, 'after')),
    ]);
    expect(reading).toMatchObject({ status: 'fulfilled', value: expect.arrayContaining(['before']) });
    expect(writing).toMatchObject({ status: 'fulfilled' });
    expect(await noteIds(direct)).toEqual(['after', 'before']);
  });
});
