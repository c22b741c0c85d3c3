import { pino } from 'pino';

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on standard error: standard output belongs to commands and protocols. */
export function createLog(level: string): Log {
  return pino({ level, base: null }, pino.destination({ fd: 2, sync: false }));
}

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
