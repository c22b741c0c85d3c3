import type { Log } from './log.ts';

const WINDOW_MS = 60_000;
const MOST = 10;

interface Seen {
  since: number;
  count: number;
}

/**
 * The same log, where one error that comes again and again is written ten times a minute at most: a disk that is full must not
 * fill up with lines that say so. How many were left out is in the next line that is written.
 */
export function limitErrors(log: Log, now: () => number = performance.now.bind(performance)): Log {
  const seen = new Map<string, Seen>();
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error(fields, message) {
      const kind = `${message} ${kindOf(fields)}`;
      const at = now();
      const known = seen.get(kind);
      if (known === undefined || at - known.since > WINDOW_MS) {
        const left = Math.max(0, (known?.count ?? 0) - MOST);
        if (seen.size > 1_000) seen.clear();
        seen.set(kind, { since: at, count: 1 });
        log.error(left > 0 ? { ...fields, left_out: left } : fields, message);
        return;
      }
      known.count += 1;
      if (known.count <= MOST) log.error(fields, message);
    },
  };
}

function kindOf(fields: object): string {
  const { error, operation } = fields as { readonly error?: unknown; readonly operation?: unknown };
  const { name, message } = (error ?? {}) as { readonly name?: unknown; readonly message?: unknown };
  return [operation, name, message].map(String).join(' ').slice(0, 200);
}
