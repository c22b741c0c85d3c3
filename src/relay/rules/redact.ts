export const REDACTED = '__REDACTED__';

const SECRET_KEY =
  /pass(?:word|wd|phrase)?$|secret|token$|api[_-]?key|authorization|cookie|credential|private[_-]?key/i;

/** Values that give themselves away wherever they stand. */
const SECRET_VALUES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_\w]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|glpat|github_pat|npm|pypi|hf|xox[abprs]|baton)[-_][\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(pass(?:word|wd|phrase)?|secret|token|api[_-]?key)\b(["']?\s*[:=]\s*["']?)([^\s"',;&]{4,})/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/gi,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
];

/**
 * Numbers of people and of cards, in a row or in the groups that they are printed in; small numbers side by side are
 * neither. Not looked for in ids, which may well have such digits.
 */
const SECRET_DIGITS: readonly RegExp[] = [
  /\b\d{3}-\d{2}-\d{4}\b/g,
  /\b\d{13,16}\b/g,
  /\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}\b/g,
  /\b\d{4}[ -]\d{6}[ -]\d{4,5}\b/g,
];

export function redactText(text: string, isId = false): string {
  let safe = text;
  for (const pattern of isId ? SECRET_VALUES : [...SECRET_VALUES, ...SECRET_DIGITS]) {
    safe = safe.replace(pattern, (...found: unknown[]) =>
      typeof found[3] === 'string' ? `${found[1]}${found[2]}${REDACTED}` : REDACTED,
    );
  }
  return safe;
}

/** The same value with secrets masked: by the name of the member that holds them, or by how they look. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      SECRET_KEY.test(key) && (typeof member === 'string' || typeof member === 'number')
        ? REDACTED
        : redactValue(member),
    ]),
  );
}
