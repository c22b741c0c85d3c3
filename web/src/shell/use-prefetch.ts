import { useEffect } from 'react';
import { pages } from '../pages.tsx';

const WAIT_MS = 4_000;

/** Fetches the other pages once the first one is at rest: they then open while the server is away. */
export function usePrefetch(): void {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    const timer = setTimeout(async () => {
      for (const { load } of pages) await load().catch(() => undefined);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
}
