/** Responses of this slice: JSON as its authors wrote it, with hashes in headers, never inside a package. */
import { type Answer, JsonText } from '../../spine/operations/handler.ts';
import { packageText, type StoredPackage } from './packages/stored-package.ts';
import { type Place, writeCursor } from './paging.ts';
import type { ReviewEntry } from './review/rules.ts';
import { CONFORMANCE_LEVEL, PROTOCOL_VERSION } from './schema.ts';

export const PROTOCOL_HEADERS: Readonly<Record<string, string>> = {
  'relay-protocol': PROTOCOL_VERSION,
  'relay-level': CONFORMANCE_LEVEL,
};

/** For a response that is one package. */
export function packageHeaders(stored: StoredPackage): Record<string, string> {
  return {
    ...PROTOCOL_HEADERS,
    etag: `"${stored.contentHash}"`,
    'relay-content-hash': stored.contentHash,
    'relay-body-hash': stored.bodyHash,
  };
}

export function jsonAnswer(
  text: string,
  headers: Readonly<Record<string, string>> = PROTOCOL_HEADERS,
  status?: number,
): Answer<never> {
  const body = new JsonText(text);
  return status === undefined ? { body, headers } : { status, body, headers };
}

/** A warning to the author of a long text. */
export const INDEXED_IN_PART = 'the text is long: search finds it by its beginning only';

/** For a list without pages whose packages are too large to be sent together. */
export function withLeftOut(count: number): Readonly<Record<string, string>> {
  if (count === 0) return PROTOCOL_HEADERS;
  return {
    ...PROTOCOL_HEADERS,
    'relay-warning': `${count} more are too large for one answer: ask for fewer`,
  };
}

/** One page of a list, with the link to the next. */
export function pageAnswer(items: readonly string[], link: string | undefined): Answer<never> {
  return jsonAnswer(listText(items), link === undefined ? PROTOCOL_HEADERS : { ...PROTOCOL_HEADERS, link });
}

export interface EnvelopeExtras {
  readonly reviews?: readonly ReviewEntry[];
  readonly integrity?: 'ok' | 'mismatch';
  readonly score?: number;
}

/** The package with its hashes, and optionally its reviews. */
export function envelopeText(stored: StoredPackage, extras: EnvelopeExtras = {}): string {
  const beside = JSON.stringify({
    content_hash: stored.contentHash,
    deposit_hash: stored.depositHash,
    body_hash: stored.bodyHash,
    superseded_by: stored.supersededBy,
    redacted: stored.tombstone !== null,
    ...extras,
  });
  const text = stored.tombstone === null ? packageText(stored) : 'null';
  const tombstone = stored.tombstone === null ? '' : `,"tombstone":${stored.tombstone}`;
  return `{"package":${text}${tombstone},${beside.slice(1)}`;
}

export function listText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** `Link: <…>; rel="next"`: the same query, continued after the last item of this page. */
export function nextLink(path: string, query: Readonly<Record<string, unknown>>, last: Place): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'cursor') search.append(name, String(value));
  }
  search.append('cursor', writeCursor(last));
  return `<${path}?${search}>; rel="next"`;
}
