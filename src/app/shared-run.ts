/**
 * Work that reads the whole store runs once at a time, however many ask: whoever comes while it runs gets a next run,
 * together with all others who asked the same meanwhile. A run that nobody waits for any more is told to stop.
 */
export function sharedRun<Q, T>(
  work: (asked: Q, signal: AbortSignal) => Promise<T>,
): (asked: Q, signal: AbortSignal) => Promise<T> {
  const waiting = new Map<string, Run<T>>();
  let last: Promise<unknown> = Promise.resolve();

  function begin(asked: Q, name: string): Run<T> {
    const stop = new AbortController();
    const done = last.then(() => {
      waiting.delete(name);
      stop.signal.throwIfAborted();
      return work(asked, stop.signal);
    });
    last = done.catch(() => undefined);
    const run = { waiting: 0, stop, done };
    waiting.set(name, run);
    return run;
  }

  return async (asked, signal) => {
    signal.throwIfAborted();
    const name = JSON.stringify(asked);
    const run = waiting.get(name) ?? begin(asked, name);
    run.waiting += 1;
    const leave = () => {
      run.waiting -= 1;
      if (run.waiting === 0) run.stop.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await run.done;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}

interface Run<T> {
  waiting: number;
  readonly stop: AbortController;
  readonly done: Promise<T>;
}
