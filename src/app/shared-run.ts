/**
 * Work that reads the whole store runs once at a time, however many ask: whoever comes while it runs gets the next run,
 * together with all others who came meanwhile. A run that nobody waits for any more is told to stop.
 */
export function sharedRun<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Run<T> | undefined;

  function begin(after: Promise<unknown>): Run<T> {
    const stop = new AbortController();
    const run: Run<T> = {
      waiting: 0,
      stop,
      done: after.then(() => {
        if (next === run) next = undefined;
        stop.signal.throwIfAborted();
        return work(stop.signal);
      }),
    };
    running = run.done.catch(() => undefined);
    return run;
  }

  return async (signal) => {
    signal.throwIfAborted();
    next ??= begin(running ?? Promise.resolve());
    const run = next;
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
