import type { PlainHeaders } from '../../../spine/operations/plain.ts';
import { SHUT_IN } from '../../../spine/operations/shut-in.ts';
import type { A2aVersion } from '../a2a/methods.ts';

const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
];

/** Ours, or about the way to us: nothing of it is the peer's business. */
const KEPT_BACK: readonly string[] = [
  'x-baton-key',
  'cookie',
  'x-csrf-token',
  'origin',
  'referer',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'accept-encoding',
];

/** What a server says of its whole origin: here that is the relay's, and all of its agents'. */
const OF_THE_ORIGIN: readonly string[] = [
  'alt-svc',
  'clear-site-data',
  'nel',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
];

const NOT_FOR_PEER: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...KEPT_BACK]);
const NOT_FOR_CALLER: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...OF_THE_ORIGIN]);

/** What goes on to the peer: all that its caller said to it, `Authorization` and `A2A-*` untouched. */
export function headersForPeer(headers: PlainHeaders): Record<string, string> {
  const named = connectionHeaders(headers.connection);
  const passed: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    const drop = NOT_FOR_PEER.has(name) || named.has(name) || name.startsWith('sec-fetch-');
    if (value !== undefined && !drop) passed[name] = value;
  }
  return passed;
}

/** What goes back to the caller. Codings are of the bytes, which are passed on as they are; their length is told anew. */
export function headersForCaller(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const named = connectionHeaders(one(headers.connection));
  const passed: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !NOT_FOR_CALLER.has(name) && !named.has(name)) passed[name] = one(value);
  }
  if (!NO_PAGE.test(passed['content-type'] ?? '')) passed['content-security-policy'] = SHUT_IN;
  return passed;
}

const NO_PAGE = /^\s*(application\/([\w.-]+\+)?json|text\/event-stream)\s*(;|$)/i;

/** As the version spells them: 0.3 named its extensions under an experimental name. */
export function headersIn(version: A2aVersion, headers: Record<string, string>): Record<string, string> {
  const { 'a2a-extensions': modern, 'x-a2a-extensions': legacy, ...rest } = headers;
  const extensions = modern ?? legacy;
  return extensions === undefined ? rest : { ...rest, [extensionsHeader(version)]: extensions };
}

/** Which extensions a peer says it used: all that its headers tell to a caller of another version or binding. */
export function extensionsFor(
  version: A2aVersion,
  headers: Parameters<typeof headersForCaller>[0],
): Record<string, string> {
  const name = extensionsHeader(version);
  const { [name]: extensions } = headersIn(version, headersForCaller(headers));
  return extensions === undefined ? {} : { [name]: extensions };
}

function extensionsHeader(version: A2aVersion): string {
  return version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
}

function one(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

const NONE: ReadonlySet<string> = new Set();

function connectionHeaders(value: string | undefined): ReadonlySet<string> {
  if (!value || value === 'keep-alive') return NONE;
  return new Set(
    value
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
}
