import { isSecret } from './secret.ts';

/** The kinds of bearer token, told apart by their form alone. */
export type Token =
  | { readonly kind: 'key'; readonly keyId: string; readonly secret: string }
  | { readonly kind: 'login'; readonly secret: string }
  /** An access token of ours, for MCP alone. */
  | { readonly kind: 'oauth'; readonly secret: string }
  | { readonly kind: 'jwt'; readonly text: string };

/** Far above any real token, far below what would cost us anything to look at. */
const LONGEST = 16_384;

const KEY = /^baton_([0-9a-f]{16})_([0-9a-f]{64})$/;
const LOGIN_PREFIX = 'baton_login_';
const LINK_PREFIX = 'baton_link_';
const INVITATION_PREFIX = 'baton_invite_';
const OAUTH_PREFIX = 'baton_mcp_';
const REFRESH_PREFIX = 'baton_refresh_';
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export function readToken(text: string): Token | undefined {
  if (text.length > LONGEST) return undefined;
  const key = KEY.exec(text);
  if (key) return { kind: 'key', keyId: key[1]!, secret: key[2]! };
  const login = secretAfter(LOGIN_PREFIX, text);
  if (login !== undefined) return { kind: 'login', secret: login };
  const oauth = secretAfter(OAUTH_PREFIX, text);
  if (oauth !== undefined) return { kind: 'oauth', secret: oauth };
  return JWT.test(text) ? { kind: 'jwt', text } : undefined;
}

export function readLink(text: string): string | undefined {
  return secretAfter(LINK_PREFIX, text);
}

export function readInvitation(text: string): string | undefined {
  return secretAfter(INVITATION_PREFIX, text);
}

export function formatInvitation(secret: string): string {
  return `${INVITATION_PREFIX}${secret}`;
}

export function formatKey(keyId: string, secret: string): string {
  return `baton_${keyId}_${secret}`;
}

export function formatLogin(secret: string): string {
  return `${LOGIN_PREFIX}${secret}`;
}

export function formatLink(secret: string): string {
  return `${LINK_PREFIX}${secret}`;
}

export function formatOAuth(secret: string): string {
  return `${OAUTH_PREFIX}${secret}`;
}

export function formatRefresh(secret: string): string {
  return `${REFRESH_PREFIX}${secret}`;
}

export function readRefresh(text: string): string | undefined {
  return secretAfter(REFRESH_PREFIX, text);
}

function secretAfter(prefix: string, text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const secret = text.slice(prefix.length);
  return isSecret(secret) ? secret : undefined;
}

/** The page of a one-time link. The secret comes after the `#`, so that it never reaches a log, proxy or referrer. */
export function signInPath(link: string): string {
  return `/sign-in#${link}`;
}

/** The page on which an invited person begins; behind the `#` for the same reason. */
export function invitationPagePath(invitation: string): string {
  return `/join#${invitation}`;
}
