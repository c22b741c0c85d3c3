import { BatonRequestError, type Client, type Operations, type Result } from '@baton-ledger/client';

export type JournalEntry = Result<Operations['journal.follow']>;

/** `connecting` before the first answer, `lost` while trying again, `ended` where this credential is refused. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'ended';

export interface LiveJournal {
  readonly state: LiveState;
  /** Newest first, at most `KEPT`. */
  readonly entries: readonly JournalEntry[];
  /** Events in the whole store, as far as this page has heard. */
  readonly total: number | undefined;
}

export interface JournalStream {
  get(): LiveJournal;
  subscribe(listener: () => void): () => void;
  /** Called with every new entry, also those that arrive while nothing is shown. */
  onEntry(listener: (entry: JournalEntry) => void): () => void;
  start(): () => void;
}

const KEPT = 200;
const BACKLOG = 60;
const FRAME_MS = 100;

/** The one connection of the page: everything that is live reads from it. */
export function createJournalStream(client: Client): JournalStream {
  let current: LiveJournal = { state: 'connecting', entries: [], total: undefined };
  let arrived: JournalEntry[] = [];
  let frame: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const entryListeners = new Set<(entry: JournalEntry) => void>();

  function set(change: Partial<LiveJournal>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }

  /** A burst becomes one drawing. */
  function take(entry: JournalEntry): void {
    arrived.push(entry);
    for (const listener of entryListeners) listener(entry);
    frame ??= setTimeout(() => {
      frame = undefined;
      const newest = arrived.reverse();
      arrived = [];
      set({ entries: [...newest, ...current.entries].slice(0, KEPT), total: (newest[0]?.leaf ?? -1) + 1 });
    }, FRAME_MS);
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const page = await client.call('journal.changes', { newest: true, limit: BACKLOG }, { signal });
    const entries = [...page.events].sort((a, b) => b.leaf - a.leaf);
    set({ entries, total: (entries[0]?.leaf ?? -1) + 1 });
    const after = String(entries[0]?.leaf ?? -1);
    const items = client.stream(
      'journal.follow',
      {},
      {
        signal,
        after,
        onState: (live) => set({ state: live ? 'live' : 'lost' }),
      },
    );
    for await (const { data } of items) take(data);
  }

  /** Only a gone sign-in ends it: an expired cursor starts over from the newest, a lost line tries again. */
  async function keepFollowing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        const refused = error instanceof BatonRequestError && (error.status === 401 || error.status === 403);
        set({ state: refused ? 'ended' : 'lost' });
        if (refused) return;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEntry(listener) {
      entryListeners.add(listener);
      return () => entryListeners.delete(listener);
    },
    start() {
      const stop = new AbortController();
      set({ state: 'connecting' });
      void keepFollowing(stop.signal);
      return () => {
        stop.abort();
        clearTimeout(frame);
        frame = undefined;
        arrived = [];
      };
    },
  };
}
