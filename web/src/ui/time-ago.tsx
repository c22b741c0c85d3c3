import { useSyncExternalStore } from 'react';
import { absoluteTime, relativeTime } from './time-words.ts';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the page: every shown age moves at once. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The same instant everywhere on the page; moves every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** An instant as people say it; the exact one stands in its title. */
export function TimeAgo({ at }: { at: string }) {
  const current = useNow();
  return (
    <time dateTime={at} title={absoluteTime(at)} className="tabular whitespace-nowrap">
      {relativeTime(Date.parse(at), current)}
    </time>
  );
}
