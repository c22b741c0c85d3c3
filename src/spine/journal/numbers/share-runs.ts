/**
 * Merges calls that wait at the same time. A call never joins a run that has already begun: that run may have looked
 * before the caller's own change was there.
 */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const run = work().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  }

  return () => {
    if (!current) return start();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
