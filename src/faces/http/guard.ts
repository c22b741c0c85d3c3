import { dispatchErrors } from '../../spine/dispatch/errors.ts';

export interface GuardSettings {
  /** Host names (without port) that requests may name. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * A page of another site can make a browser send requests to a server on loopback, and DNS rebinding can make it
 * read the answers: the Host header must name us, and an Origin must be our own.
 */
export function guardAgainstForeignPages(
  { host, origin }: { readonly host: string; readonly origin: string | undefined },
  settings: GuardSettings,
): void {
  if (!settings.hosts.has(hostName(host))) {
    throw dispatchErrors.host_refused({ details: { host } });
  }
  if (origin === undefined || (origin !== 'null' && safeHost(origin) === host)) return;
  throw dispatchErrors.origin_refused({ details: { origin } });
}

function hostName(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  const port = host.indexOf(':');
  return (port < 0 ? host : host.slice(0, port)).toLowerCase();
}

function safeHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/** For pages: nothing from elsewhere, nothing inline but styles that components compute. */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
