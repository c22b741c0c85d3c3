import { isSecret } from '../credentials/secret.ts';
import { DASHBOARD_LIFETIME } from './login-rules.ts';

export interface CookieSettings {
  readonly name: string;
  /** Set if the dashboard is served over TLS. */
  readonly secure: boolean;
}

/** The secret in a `Cookie` header; undefined if it is absent, malformed or repeated. */
export function readSessionCookie(header: string, name: string): string | undefined {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const value = values.length === 1 ? values[0] : undefined;
  return value !== undefined && isSecret(value) ? value : undefined;
}

export function setSessionCookie(settings: CookieSettings, secret: string): string {
  return cookie(settings, secret, DASHBOARD_LIFETIME / 1_000_000);
}

export function clearSessionCookie(settings: CookieSettings): string {
  return cookie(settings, '', 0);
}

function cookie(settings: CookieSettings, value: string, maxAge: number): string {
  const parts = [`${settings.name}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Strict'];
  if (settings.secure) parts.push('Secure');
  return parts.join('; ');
}
