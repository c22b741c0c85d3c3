import { BatonError } from '../../../kernel/error.ts';
import { openText, sealingKeyId, sealText } from '../../../platform/sealed-text.ts';
import { journalErrors } from '../errors.ts';

/** How a payload is stored. What is hashed and sent over the wire is always the plain text. */
export interface PayloadCodec {
  seal(payload: string, eventId: string): string;
  /** Throws `payload_key_missing` when no key at hand has sealed it, `payload_damaged` when it does not open. */
  open(stored: string, eventId: string): string;
}

/** A payload is an object, so that no plain one begins like this. Then the key's id, `:`, and the sealed text. */
const MARK = 'sealed:';

export const isSealed = (stored: string): boolean => stored.startsWith(MARK);

/** The first key encrypts; any of them decrypts. Without keys, payloads are plain text. Plain ones stay readable. */
export function payloadCodec(keys: readonly Uint8Array[]): PayloadCodec {
  const byId = new Map(keys.map((key) => [sealingKeyId(key), key]));
  const [current] = byId;
  return {
    seal: current
      ? (payload, eventId) => `${MARK}${current[0]}:${sealText(current[1], payload, eventId)}`
      : (payload) => payload,
    open(stored, eventId) {
      if (!isSealed(stored)) return stored;
      const end = stored.indexOf(':', MARK.length);
      const keyId = stored.slice(MARK.length, end);
      const key = byId.get(keyId);
      if (!key) throw journalErrors.payload_key_missing({ details: { key_id: keyId, event_id: eventId } });
      const payload = openText(key, stored.slice(end + 1), eventId);
      if (payload === undefined) {
        throw journalErrors.payload_damaged({ details: { key_id: keyId, event_id: eventId } });
      }
      return payload;
    },
  };
}

export const plainPayloads = payloadCodec([]);

/** For verification, which reports what does not open as it reports any change; a missing key is still thrown. */
export function openedOrStored(stored: string, eventId: string, payloads: PayloadCodec): string {
  try {
    return payloads.open(stored, eventId);
  } catch (error) {
    if (error instanceof BatonError && error.code === 'payload_damaged') return stored;
    throw error;
  }
}

interface PayloadRow {
  readonly event_id: string;
  readonly payload: string | null;
}

export function openRow<R extends PayloadRow>(row: R, payloads: PayloadCodec): R {
  if (row.payload === null) return row;
  const payload = payloads.open(row.payload, row.event_id);
  return payload === row.payload ? row : { ...row, payload };
}
