import type { Worker } from '../spine/jobs/worker.ts';

export interface Upkeep {
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

/** What a running server does beside its requests: jobs at once, the rooms' upkeep every two seconds. */
export function startUpkeep(
  worker: Worker,
  keepUp: () => Promise<void>,
  onError: (error: unknown) => void,
): Upkeep {
  const stopped = new AbortController();
  const jobs = worker.run(stopped.signal).catch(onError);
  let round = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    round = keepUp()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await Promise.all([jobs, round]);
    },
  };
}
