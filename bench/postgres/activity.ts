/** What a PostgreSQL server is seen to do: its processor time by the kernel's books, and what its connections wait for. */
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** Of Linux, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Waits {
  /** Of connections of ours that were in a transaction. */
  readonly samples: number;
  /** How many of these waited for what, most first. */
  readonly byEvent: readonly (readonly [event: string, samples: number])[];
  /** The share of those that waited for a lock of a row, a table or a transaction. */
  readonly onLocks: number;
}

export class ServerActivity {
  readonly #client: pg.Client;
  readonly #postmaster: number;

  private constructor(client: pg.Client, postmaster: number) {
    this.#client = client;
    this.#postmaster = postmaster;
  }

  static async of(url: string): Promise<ServerActivity> {
    const client = new pg.Client({ connectionString: url, application_name: 'observer' });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const own = await statOf(rows[0]?.pid ?? 0);
    return new ServerActivity(client, own?.parent ?? 0);
  }

  /** Seconds of processor time of the server and all its processes, those that have ended included. */
  async cpu(): Promise<number> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(pids.map((pid) => statOf(Number(pid))));
    let ticks = 0;
    for (const stat of stats) {
      if (stat?.pid === this.#postmaster) ticks += stat.own + stat.ended;
      else if (stat?.parent === this.#postmaster) ticks += stat.own;
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** Looks every few milliseconds until the work is done. */
  async waitsDuring(work: Promise<unknown>, everyMs = 20): Promise<Waits> {
    let going = true;
    const done = work.finally(() => {
      going = false;
    });
    const seen = new Map<string, number>();
    let samples = 0;
    let onLocks = 0;
    while (going) {
      const { rows } = await this.#client.query<{ type: string | null; event: string | null }>(
        `select wait_event_type as type, wait_event as event from pg_stat_activity
         where application_name like 'baton%' and state <> 'idle'`,
      );
      for (const { type, event } of rows) {
        const name = type === null ? 'on the processor' : `${type}/${event}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        samples += 1;
        if (type === 'Lock') onLocks += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await done;
    return {
      samples,
      byEvent: [...seen].sort(([, a], [, b]) => b - a),
      onLocks: samples === 0 ? 0 : onLocks / samples,
    };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { pid, parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}
