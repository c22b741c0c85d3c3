import { format } from 'node:util';
import { pino } from 'pino';
import { visibleJson } from '../kernel/visible-text.ts';

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on standard error, fit for a terminal: standard output belongs to commands and protocols. */
export function createLog(level: string): Log {
  const stderr = pino.destination({ fd: 2, sync: false });
  return pino({ level, base: null }, { write: (line) => stderr.write(visibleJson(line)) });
}

/**
 * The log of a process that serves. What libraries print becomes lines of it too: one of them writes the errors of a
 * broken stream with `console`, which is neither JSON nor, for what it only notes, on standard error.
 */
export function createProcessLog(level: string): Log {
  const log = createLog(level);
  const printed =
    (kind: keyof Log) =>
    (...words: unknown[]) =>
      log[kind]({ printed: true }, format(...words));
  Object.assign(console, {
    log: printed('info'),
    info: printed('info'),
    debug: printed('info'),
    warn: printed('warn'),
    error: printed('error'),
    trace: printed('error'),
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ error: describeError(warning) }, 'warning'));
  return log;
}

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
