import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { createJournalStream, type LiveJournal } from './journal-stream.ts';
import { refreshedBy } from './refreshed-by.ts';

const REFRESH_MS = 200;

const stream = createJournalStream(client);

export function useLiveJournal(): LiveJournal {
  return useSyncExternalStore(stream.subscribe, stream.get);
}

/** Held by the shell while somebody is signed in. */
export function useJournalConnection(): void {
  const queries = useQueryClient();
  useEffect(() => stream.start(), []);
  useEffect(
    () =>
      stream.subscribe(() => {
        if (stream.get().state === 'ended') void queries.invalidateQueries({ queryKey: ['whoami'] });
      }),
    [queries],
  );
  useEffect(() => {
    const stale = new Set<string>();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = stream.onEntry(({ event }) => {
      for (const part of refreshedBy(event.event_type)) stale.add(part);
      if (stale.size === 0) return;
      /** A burst of events is read once. */
      soon ??= setTimeout(() => {
        soon = undefined;
        for (const part of stale) void queries.invalidateQueries({ queryKey: [part] });
        stale.clear();
      }, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(soon);
    };
  }, [queries]);
}
