/** What OAuth asks of requests, without any state: RFC 6749, 7591, 7636, 8252, 8707. */
import type { Hasher } from '../../../kernel/hasher.ts';
import { roles } from '../roles.ts';
import { grantsScope } from '../scopes.ts';

const MOST_REDIRECTS = 10;
const LONGEST_URI = 2000;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
/** Schemes that a browser would run, show or read itself instead of handing the answer to a program. */
const NO_PROGRAM = /^(javascript|data|file|blob|vbscript|about|filesystem|view-source|ws|wss|ftp):/i;

/** An error as OAuth spells it. */
export interface OAuthFault {
  readonly error: string;
  readonly description: string;
}

export const fault = (error: string, description: string): OAuthFault => ({ error, description });

/** Where a client may have its answer sent; undefined if one of them is not to be trusted. */
export function soundRedirects(given: unknown): readonly string[] | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_REDIRECTS) return undefined;
  return given.every((uri) => typeof uri === 'string' && isSoundRedirect(uri)) ? given : undefined;
}

function isSoundRedirect(uri: string): boolean {
  if (uri.length > LONGEST_URI || /[\s\\#]/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '' || NO_PROGRAM.test(uri)) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return isLoopbackName(hostname);
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol);
}

function isLoopbackName(host: string): boolean {
  return host === '127.0.0.1' || host === '[::1]' || host === 'localhost';
}

/** To the letter; only the port of a program on this machine may differ, which it gets when it starts to listen. */
export function isRegistered(redirects: readonly string[], uri: string): boolean {
  if (redirects.includes(uri)) return true;
  if (!isSoundRedirect(uri)) return false;
  const asked = new URL(uri);
  if (asked.protocol !== 'http:' || !isLoopbackName(asked.hostname)) return false;
  asked.port = '';
  return redirects.some((each) => {
    const known = new URL(each);
    known.port = '';
    return known.protocol === 'http:' && known.href === asked.href;
  });
}

export function isChallenge(text: string | undefined): text is string {
  return text !== undefined && CHALLENGE.test(text);
}

/** S256 only: with `plain`, whoever reads the request could redeem the code. */
export function provesChallenge(hasher: Hasher, verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  return Buffer.from(hasher.hex(verifier), 'hex').toString('base64url') === challenge;
}

/** What a client may be given at most: it works, and never decides. */
export function offeredScopes(wanted: string | undefined, held: ReadonlySet<string>): readonly string[] {
  const asked = wanted?.split(' ').filter(Boolean) ?? [];
  const mine = roles.agent.filter((scope) => grantsScope(held, scope));
  const named = mine.filter((scope) => asked.includes(scope));
  return named.length > 0 ? named : mine;
}

/** Whether two addresses are the same resource. TLS may end before us, so that the scheme says nothing. */
export function isSameResource(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return (
    a.host === b.host && a.pathname.replace(/\/$/, '') === b.pathname.replace(/\/$/, '') && a.hash === ''
  );
}

/** An actor of its own for each grant: two clients of one name are never one agent. */
export function actorIdFor(clientName: string, grantId: string): string {
  const slug = clientName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug || 'mcp-client'}-${grantId.slice(-6)}`;
}
