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

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
