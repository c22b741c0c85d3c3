import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { createJournalStream, type LiveJournal } from './journal-stream.ts';

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
  useEffect(
    () =>
      stream.onEntry(({ event }) => {
        if (event.event_type.startsWith('inbox.')) void queries.invalidateQueries({ queryKey: ['inbox'] });
      }),
    [queries],
  );
}
