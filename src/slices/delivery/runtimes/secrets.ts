import { asDoc, isText } from '../document.ts';
import { resolveHeaders } from '../hooks/http-hook.ts';

/** Headers of a runtime with `${VAR}` taken from the environment, or the name of the variable that is missing. */
export function runtimeHeaders(
  headers: unknown,
): { readonly headers: Record<string, string> } | { readonly missing: string } {
  const texts = Object.fromEntries(
    Object.entries(asDoc(headers)).filter((entry): entry is [string, string] => isText(entry[1])),
  );
  const resolved = resolveHeaders(texts, process.env);
  return 'unresolved' in resolved ? { missing: resolved.unresolved } : { headers: resolved.resolved };
}

const SECRET = /(bearer\s+|sk-|key[=:]\s*)[A-Za-z0-9._-]{6,}/gi;

/** What goes into logs and events never shows a credential. */
export function redact(text: string): string {
  return text.replaceAll(SECRET, '$1[redacted]').slice(0, 2000);
}
