import { relayErrors } from '../errors.ts';
import type { TracePlace } from './store.ts';

export function writeTraceCursor({ startMicros, traceId }: TracePlace): string {
  return `${startMicros}.${traceId}`;
}

export function readTraceCursor(text: string): TracePlace {
  const [, micros, traceId] = /^(\d{1,16})\.([0-9a-f]{32})$/.exec(text) ?? [];
  if (micros === undefined || traceId === undefined) throw relayErrors.invalid_trace_cursor();
  return { startMicros: Number(micros), traceId };
}
