import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { countDeeds, type Deed, Deeds, mayBeSaidAgain, SLICES } from './deeds.ts';

const PROVE = process.env.BATON_PROVE === '1';
const KILLS = PROVE ? 30 : 2;
const DEEDS = PROVE ? 400 : 60;
/** Of each slice. */
const WRITERS = 3;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describeOnEachEngine('a server killed at the worst moment', (open) => {
  it('loses nothing that it acknowledged, does nothing twice, and its journal holds together', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-kill-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const store = await open([]);
    const start = async (): Promise<KillableServer> => {
      const server = await startKillableServer(dataDir, { env: { BATON_DATABASE_URL: open.urlOf(store) } });
      ends.push(() => server.kill());
      return server;
    };
    const deeds = new Deeds(dataDir);
    ends.push(() => deeds.remove());
    const acknowledged: Deed[] = [];
    // What was under way at a kill is said again, in the same words, to the next server.
    let unanswered: Deed[] = [];
    let saidAgain = 0;

    const sayUntilKilled = async ({ client }: KillableServer) => {
      const again = unanswered;
      unanswered = [];
      saidAgain += again.length;
      const write = async (slice: (typeof SLICES)[number]) => {
        for (;;) {
          const deed = again.pop() ?? (await deeds.next(slice));
          try {
            await deed.do(client);
          } catch (error) {
            if (!mayBeSaidAgain(error)) throw error;
            unanswered.push(deed);
            return;
          }
          acknowledged.push(deed);
        }
      };
      await Promise.all(SLICES.flatMap((slice) => Array.from({ length: WRITERS }, () => write(slice))));
      unanswered.push(...again);
    };

    let server = await start();
    await deeds.prepare(server.client);
    for (let round = 0; round < KILLS; round += 1) {
      const wanted = acknowledged.length + Math.ceil(DEEDS * (0.3 + ((round * 7) % 10) / 14));
      const said = sayUntilKilled(server);
      const enough = expect.poll(() => acknowledged.length >= wanted, { interval: 1 }).toBe(true);
      await Promise.race([enough, said]);
      await server.kill();
      await said;
      server = await start();
    }
    for (const deed of unanswered) {
      await deed.do(server.client);
      acknowledged.push(deed);
    }
    console.info(`${acknowledged.length} acknowledged over ${KILLS} kills, ${saidAgain} said again`);
    expect(await countDeeds(store, acknowledged)).toEqual({ lost: [], twice: [] });
    const report = await server.client.call('journal.verify', {});
    expect(report).toMatchObject({ valid: true, fault_count: 0 });
  });
});
