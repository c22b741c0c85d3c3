import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveJournal } from './use-live-journal.ts';

const PAUSE_MS = 2_000;

/** Reads again soon after something was written, however much is written meanwhile. */
export function useRefresh(queryKey: QueryKey): void {
  const queries = useQueryClient();
  const { total } = useLiveJournal();
  const key = useRef(queryKey);
  key.current = queryKey;
  const seen = useRef(total);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (total === undefined || total === seen.current) return;
    const first = seen.current === undefined;
    seen.current = total;
    if (first || waiting.current !== undefined) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      void queries.invalidateQueries({ queryKey: key.current });
    }, PAUSE_MS);
  }, [queries, total]);
  useEffect(() => () => clearTimeout(waiting.current), []);
}
