import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { describeOnPostgres, insertNote, NOTES, noteIds, type OpenForTest } from '../testing.ts';

const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Tells its own process number at the beginning of a connection, as poolers do. */
async function startPooler(url: string): Promise<{ url: string; close(): Promise<void> }> {
  const address = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(address.port || 5432), address.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    let told = false;
    upstream.on('data', (bytes: Buffer) => {
      const at = told ? -1 : bytes.indexOf(BACKEND_KEY);
      if (at >= 0) {
        told = true;
        bytes.writeUInt32BE(7, at + BACKEND_KEY.length);
      }
      client.write(bytes);
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

describeOnPostgres('a store behind a pooler', (open: OpenForTest) => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  it('finds its schema in every transaction, prepares nothing, and hears of others’ commits', async () => {
    const direct = await open(NOTES);
    const pooler = await startPooler(open.urlOf(direct));
    const db: Database = await openDatabase(pooler.url, { strictUnits: true });
    ends.push(async () => {
      await db.close();
      await pooler.close();
    });
    await db.migrate(NOTES);
    await Promise.all(Array.from({ length: 20 }, (_, at) => db.write((uow) => insertNote(uow, `n${at}`))));
    expect(await noteIds(db)).toHaveLength(20);
    const prepared = await db.read((reader) =>
      reader.get<{ n: number }>('select count(*) as n from pg_prepared_statements'),
    );
    expect(prepared?.n).toBe(0);
    let heard = 0;
    const stop = db.onCommit(() => heard++);
    await expect.poll(() => heard).toBeGreaterThan(0);
    const before = heard;
    await direct.write((uow) => insertNote(uow, 'theirs'));
    await expect.poll(() => heard).toBeGreaterThan(before);
    stop();
  });
});

describeOnPostgres('options in the address of a pooler', (open: OpenForTest) => {
  it('are refused, for they would be lost', async () => {
    const pooler = await startPooler(open.urlOf(await open(NOTES)));
    const url = new URL(pooler.url);
    url.searchParams.set('options', '-c statement_timeout=5000');
    await expect(openDatabase(url.href)).rejects.toMatchObject({
      code: 'storage_unsupported',
      message: expect.stringContaining('statement_timeout'),
    });
    await pooler.close();
  });
});

describeOnPostgres('an address with several hosts', (open: OpenForTest) => {
  it('leads to the one that answers and takes writes', async () => {
    const direct = await open(NOTES);
    const url = new URL(open.urlOf(direct));
    const several = url.href.replace(url.host, `127.0.0.1:1,${url.host}`);
    const db = await openDatabase(several);
    await db.write((uow) => insertNote(uow, 'here'));
    expect(await noteIds(db)).toEqual(['here']);
    expect(await noteIds(direct)).toEqual(['here']);
    await db.close();
  });
});
