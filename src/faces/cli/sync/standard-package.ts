import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalAgentic } from '../../../kernel/json/canonical/agentic.ts';
import { compactJson, spliceMembers } from '../../../kernel/json/compact.ts';
import { readDocument, readJson } from '../../../kernel/json/reader.ts';

export type StandardPackage =
  | { readonly kind: 'package'; readonly item: PackageItem }
  | { readonly kind: 'redacted' }
  /** The content does not match its hash. */
  | { readonly kind: 'mismatched' };

/** As `transfer.import` expects it. */
interface PackageItem {
  readonly line: string;
  readonly hashes?: { readonly content_hash: string };
  readonly reviews: readonly string[];
}

interface Envelope {
  readonly redacted?: boolean;
  readonly content_hash?: string;
  readonly reviews?: readonly unknown[];
}

/**
 * A package as any server answers it: bare, with its hash in a header if at all, or in an envelope beside its hash and
 * its reviews.
 */
export function readStandardPackage(
  hasher: Hasher,
  body: string,
  headers: Readonly<Record<string, string>>,
): StandardPackage {
  const inside = packageInEnvelope(body);
  const envelope: Envelope = inside === undefined ? {} : JSON.parse(body);
  if (envelope.redacted || inside === 'null') return { kind: 'redacted' };
  const line = inside ?? compactJson(body);
  const claimed = envelope.content_hash ?? headers['relay-content-hash'] ?? hashInEtag(headers.etag);
  const computed = `sha256:${hasher.hex(canonicalAgentic(readJson(line)))}`;
  if (claimed !== undefined && claimed !== computed) return { kind: 'mismatched' };
  return {
    kind: 'package',
    item: {
      line,
      ...(claimed !== undefined && { hashes: { content_hash: claimed } }),
      reviews: (envelope.reviews ?? []).map((entry) => JSON.stringify(entry)),
    },
  };
}

/** The text of the package as written; undefined if the response is the package itself, which has a title. */
function packageInEnvelope(body: string): string | undefined {
  const document = readDocument(body);
  if (!document.members.has('package') || document.members.has('title')) return undefined;
  const others = [...document.members.keys()].filter((name) => name !== 'package');
  const alone = spliceMembers(document, new Map(others.map((name) => [name, null])));
  return alone.slice('{"package":'.length, -1);
}

function hashInEtag(etag: string | undefined): string | undefined {
  return /^"(sha256:[0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
}
