import type { Metadata } from '@grpc/grpc-js';

/** About the HTTP that a request came by, not about what it asks. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'content-length',
  'user-agent',
  'te',
]);
const NAME = /^[0-9a-z_.-]+$/;
const TEXT = /^[\x20-\x7e]*$/;

/** What goes with a message; names that gRPC keeps for itself, and values it cannot carry, do not. */
export function toMetadata<M extends Metadata>(
  headers: Readonly<Record<string, string | undefined>>,
  Made: new () => M,
): M {
  const metadata = new Made();
  for (const [name, value] of Object.entries(headers)) {
    const isOurs =
      NAME.test(name) && !OF_HTTP.has(name) && !name.startsWith('grpc-') && !name.endsWith('-bin');
    if (isOurs && value !== undefined && TEXT.test(value)) metadata.set(name, value);
  }
  return metadata;
}

export function fromMetadata(metadata: Metadata): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata.getMap()))
    if (typeof value === 'string' && !name.startsWith('grpc-') && name !== 'content-type')
      headers[name] = value;
  return headers;
}
