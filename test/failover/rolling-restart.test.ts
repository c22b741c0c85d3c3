import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { describeOnPostgres } from '../../src/spine/storage/testing.ts';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { balanceServers } from './balancer.ts';
import { Folder, freePort } from './daemons.ts';
import { type Ends, endAll, newDataDir } from './data-dirs.ts';
import { whyNot } from './programs.ts';

const ROUNDS = Number(process.env.BATON_ROUNDS ?? 10);
const CLIENTS = 16;
const PROCESSES = 3;
const missing = whyNot(['haproxy', 'postgres']);
if (missing !== undefined) console.warn(`skipped: rolling restart: ${missing}`);

type Client = ReturnType<typeof createClient>;

/** Asks without pause and never twice; what fails is counted, not repeated. */
class Crowd {
  readonly errors: string[] = [];
  answered = 0;
  readonly #written = new Set<string>();
  readonly #streamed = new Set<unknown>();
  readonly #stop = new AbortController();
  #resting = false;
  readonly #running: Promise<void>[] = [];

  constructor(client: Client) {
    for (let nth = 0; nth < CLIENTS; nth += 1) this.#running.push(this.#ask(client, nth));
    this.#running.push(this.#follow(client));
  }

  /** What was acknowledged and has not been streamed yet. */
  get unseen(): number {
    let unseen = 0;
    for (const id of this.#written) if (!this.#streamed.has(id)) unseen += 1;
    return unseen;
  }

  /** Asks nothing more, and listens on. */
  rest(): void {
    this.#resting = true;
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #ask(client: Client, nth: number): Promise<void> {
    for (let n = 0; !this.#resting && !this.#stop.signal.aborted; n += 1) {
      try {
        if (nth % 4 === 0) await client.call('packages.list', { project_id: 'default', limit: 5 });
        else {
          const { package_id } = await client.call('packages.write', {
            title: `client ${nth}, package ${n}`,
          });
          this.#written.add(package_id);
        }
        this.answered += 1;
      } catch (error) {
        this.errors.push(`client ${nth}: ${error} ${(error as Error).cause ?? ''}`);
      }
      // Some ask at once and some after a while, when their connection may have been closed.
      if (nth % 2 === 0) await sleep(nth * 20);
    }
  }

  /** A stream is told to come back, and does with its cursor. */
  async #follow(client: Client): Promise<void> {
    const { signal } = this.#stop;
    let last = 0;
    for await (const { data } of client.stream('context.events', { project_id: 'default' }, { signal })) {
      if (data.seq <= last) this.errors.push(`stream: ${data.seq} after ${last}`);
      last = data.seq;
      this.#streamed.add(data.ids.package_id);
    }
  }
}

describe.skipIf(missing !== undefined)('three processes that are restarted one after another', () => {
  describeOnPostgres('behind haproxy', (open) => {
    it('answer every request', async () => {
      const ends: Ends = [];
      try {
        const folder = await Folder.make();
        ends.push(() => folder.remove());
        const databaseUrl = open.urlOf(await open([]));
        const ports: number[] = [];
        const dataDirs: string[] = [];
        const servers: KillableServer[] = [];
        const start = async (nth: number) => {
          servers[nth] = await startKillableServer(dataDirs[nth]!, {
            port: ports[nth]!,
            env: { BATON_DATABASE_URL: databaseUrl },
          });
        };
        ends.push(() => Promise.all(servers.map((server) => server.kill())));
        for (let nth = 0; nth < PROCESSES; nth += 1) {
          ports.push(await freePort());
          dataDirs.push(await newDataDir(ends, dataDirs[0]));
          await start(nth);
        }
        const balancer = await balanceServers(folder, ports);
        ends.push(() => balancer.end());
        const client = createClient({ url: `http://localhost:${balancer.port}`, token: servers[0]!.token });
        await expect
          .poll(() =>
            client.call('projects.list', {}).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
        const crowd = new Crowd(client);
        ends.push(() => crowd.end());
        for (let round = 0; round < ROUNDS; round += 1) {
          for (let nth = 0; nth < PROCESSES; nth += 1) {
            const { child } = servers[nth]!;
            const gone = once(child, 'exit');
            child.kill('SIGTERM');
            expect(await gone).toEqual([0, null]);
            await start(nth);
            // Until the balancer has seen it.
            await sleep(1_500);
          }
          console.info(
            `round ${round + 1}: ${crowd.answered} answered, ${crowd.unseen} not streamed yet, ` +
              `${crowd.errors.length} errors`,
          );
          expect(crowd.errors).toEqual([]);
        }
        crowd.rest();
        await expect.poll(() => crowd.unseen).toBe(0);
        await crowd.end();
        expect(crowd.errors).toEqual([]);
        const report = await client.call('journal.verify', {});
        expect(report).toMatchObject({ valid: true, fault_count: 0 });
      } finally {
        await endAll(ends);
      }
    });
  });
});
