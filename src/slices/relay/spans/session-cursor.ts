import { decodeBase64Url, encodeBase64Url } from '../../../kernel/base64.ts';
import { relayErrors } from '../errors.ts';
import type { SessionPlace } from './session-store.ts';

/** Opaque on the wire. */
export function writeSessionCursor({ newestMicros, sessionId }: SessionPlace): string {
  return encodeBase64Url(new TextEncoder().encode(`${newestMicros}.${sessionId}`));
}

export function readSessionCursor(text: string): SessionPlace {
  const bytes = decodeBase64Url(text);
  const [, micros, sessionId] =
    /^(\d{1,16})\.([\s\S]+)$/.exec(bytes ? new TextDecoder().decode(bytes) : '') ?? [];
  if (micros === undefined || sessionId === undefined) throw relayErrors.invalid_session_cursor();
  return { newestMicros: Number(micros), sessionId };
}
