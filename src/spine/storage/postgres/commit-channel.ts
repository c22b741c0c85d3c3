import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ConnectionSettings, newClient } from './connection-settings.ts';
import { answerOf, breakOff } from './silence.ts';

const POLL_MS = 500;
const RECONNECT_MS = 250;

/**
 * Hears of other processes' commits: notifications at once, and twice a second a look at the server's transaction
 * snapshot, which changes with every commit, in case a notification never left its sender.
 */
export class CommitChannel {
  readonly #name: string;
  /** Marks our own notifications, which we need not hear. */
  readonly #sender = randomUUID();
  readonly #settings: ConnectionSettings;
  readonly #notify: () => void;
  readonly #query: (statement: string) => Promise<unknown>;
  readonly #onSilence: () => void;
  #stop: AbortController | undefined;
  #announcing = false;
  #announceAgain = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    settings: ConnectionSettings,
    query: (statement: string) => Promise<unknown>,
    notify: () => void,
    /** The server that this process thinks takes writes has not answered for seconds. */
    onSilence: () => void,
  ) {
    this.#query = query;
    this.#onSilence = onSilence;
    this.#name = `baton_${createHash('sha256')
      .update(settings.schema ?? '')
      .digest('hex')
      .slice(0, 16)}`;
    this.#settings = settings;
    this.#notify = notify;
  }

  /**
   * Tells other processes that there is something new. A hint, sent apart from the commit: PostgreSQL lets only one
   * transaction at a time commit with a notification, and whoever misses one looks within half a second.
   */
  announce(): void {
    if (this.#announcing) {
      this.#announceAgain = true;
      return;
    }
    this.#announcing = true;
    const sent = this.#query(`select pg_notify('${this.#name}', '${this.#sender}')`);
    void sent
      .catch(() => undefined)
      .finally(() => {
        this.#announcing = false;
        if (this.#announceAgain) {
          this.#announceAgain = false;
          this.announce();
        }
      });
  }

  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#running = this.#running.then(() => this.#run(stop.signal));
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { hosts } = this.#settings;
      const address = hosts.current;
      const client = newClient(this.#settings);
      const onSilence = () => {
        hosts.turnFrom(address);
        breakOff(client);
        this.#onSilence();
      };
      try {
        await this.#listen(client, signal, onSilence);
      } catch {
        // The server is away; the next turn tries again.
      } finally {
        await client.end().catch(() => undefined);
      }
      await rest(RECONNECT_MS, signal);
    }
  }

  async #listen(client: pg.Client, signal: AbortSignal, onSilence: () => void): Promise<void> {
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => {
      if (payload !== this.#sender && !signal.aborted) this.#notify();
    });
    await client.connect();
    // A pooler would give the notifications to somebody else: looking is enough.
    if (this.#settings.eachTransaction === undefined) await client.query(`listen ${this.#name}`);
    let seen: string | undefined;
    while (!signal.aborted) {
      const asked = client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
      const { rows } = await answerOf(asked, onSilence);
      const snapshot = rows[0]?.snapshot;
      // The first look counts as a change: commits before it were not heard.
      if (snapshot !== seen && !signal.aborted) this.#notify();
      seen = snapshot;
      await rest(POLL_MS, signal);
    }
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
