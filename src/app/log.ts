import { pino } from 'pino';

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on standard error: standard output belongs to commands and protocols. Credentials never reach it. */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, redact: ['headers.authorization', 'headers.cookie'] },
    pino.destination({ fd: 2, sync: false }),
  );
}
