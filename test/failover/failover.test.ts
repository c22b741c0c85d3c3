/** `npm run prove -- failover`: Patroni, etcd, pgbouncer and haproxy from Debian, and what becomes of those who write. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { BatonRequestError } from '../../packages/client/src/error.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { countDeeds, type Deed, Deeds, SLICES } from '../crash/deeds.ts';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { balancePrimary } from './balancer.ts';
import { Cluster } from './cluster.ts';
import { Folder } from './daemons.ts';
import { endAll, newDataDir } from './data-dirs.ts';
import { startPooler } from './pooler.ts';
import { whyNot } from './programs.ts';
import { Writers } from './writers.ts';

const ROUNDS = Number(process.env.BATON_ROUNDS ?? 10);
const FAULTS = ['killed', 'frozen', 'cut off'] as const;
const missing = whyNot(['postgres', 'patroni', 'etcd', 'pgbouncer', 'haproxy']);
if (missing !== undefined) console.warn(`skipped: failover drill: ${missing}`);

const ends: (() => unknown)[] = [];

const ONLY_READS = '25006';

async function createDatabase(port: number): Promise<void> {
  for (;;) {
    const client = new pg.Client(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query("create role baton login password 'baton'");
      await client.query('create database baton owner baton');
      return;
    } catch (error) {
      // The balancer, which has not looked at its servers yet, leads anywhere.
      if (error instanceof pg.DatabaseError && error.code !== ONLY_READS) throw error;
      await sleep(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function startServer(dataDir: string, databaseUrl: string): Promise<KillableServer> {
  const server = await startKillableServer(dataDir, {
    env: { BATON_DATABASE_URL: databaseUrl, BATON_LOG: 'error' },
  });
  ends.push(() => server.kill());
  return server;
}

/** A machine that has just come back may still turn somebody away. */
async function verified(client: KillableServer['client']) {
  for (;;) {
    try {
      return await client.call('journal.verify', {});
    } catch (error) {
      if (!(error instanceof BatonRequestError && error.retryable)) throw error;
      await sleep(200);
    }
  }
}

describe.skipIf(missing !== undefined)('a primary that is lost', () => {
  it('costs nothing that was acknowledged, whoever writes by a pooler or names all hosts', async () => {
    const folder = await Folder.make();
    ends.push(() => folder.remove());
    try {
      const cluster = await Cluster.start(folder);
      ends.push(() => cluster.stop());
      const links = cluster.nodes.map((node) => node.links);
      const balancer = await balancePrimary(
        folder,
        links.map(({ postgres, rest }) => ({ port: postgres.port, checkedAt: rest.port })),
      );
      ends.push(() => balancer.end());
      await createDatabase(balancer.port);
      const pooler = await startPooler(folder, balancer.port);
      ends.push(() => pooler.end());

      const pooled = `postgres://baton@127.0.0.1:${pooler.port}/baton`;
      const hosts = links.map(({ postgres }) => `127.0.0.1:${postgres.port}`).join(',');
      const dataDir = await newDataDir(ends);
      const servers = [await startServer(dataDir, pooled)];
      servers.push(
        await startServer(await newDataDir(ends, dataDir), `postgres://baton:baton@${hosts}/baton`),
      );
      const deeds = new Deeds(dataDir);
      ends.push(() => deeds.remove());
      await deeds.prepare(servers[0]!.client);
      const acknowledged: Deed[] = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const fault = FAULTS[round % FAULTS.length]!;
        const writers = servers.map(({ client }) => {
          const some = new Writers(deeds);
          some.start(client, SLICES);
          return some;
        });
        await sleep(3_000);
        const primary = await cluster.whole();
        if (fault === 'killed') await primary.kill();
        if (fault === 'frozen') primary.signal('SIGSTOP');
        if (fault === 'cut off') primary.cut();
        const began = performance.now();
        const servedAgain = await Promise.all(
          writers.map(async (some) => {
            await some.next();
            return (performance.now() - began) / 1000;
          }),
        );
        if (fault === 'killed') primary.start();
        if (fault === 'frozen') primary.signal('SIGCONT');
        if (fault === 'cut off') primary.mend();
        await Promise.all(writers.map((some) => some.stop()));
        await cluster.whole();

        acknowledged.push(...writers.flatMap((some) => some.acknowledged));
        const store = await openDatabase(pooled);
        const count = await countDeeds(store, acknowledged).finally(() => store.close());
        const refusals = writers.map((some) => Object.fromEntries(some.refusals));
        console.info(
          `round ${round + 1}, ${primary.name} ${fault}: ${acknowledged.length} acknowledged, serving again after ` +
            `${servedAgain.map((s) => s.toFixed(1)).join(' s (pooler) and ')} s (hosts); ${JSON.stringify(refusals)}`,
        );
        expect(count).toEqual({ lost: [], twice: [] });
        for (const { client } of servers) {
          expect(await verified(client)).toMatchObject({ valid: true, fault_count: 0 });
        }
      }
    } finally {
      await endAll(ends);
    }
  });
});
