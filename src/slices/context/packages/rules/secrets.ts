import { jsonPointer } from '../../../../kernel/json/pointer.ts';
import { isJsonObject, type Json } from '../../../../kernel/json/value.ts';

export interface SecretFinding {
  readonly kind: string;
  /** Where it stands; the secret itself is never repeated. */
  readonly pointer: string;
}

const PATTERNS = {
  private_key: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
  aws_access_key: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  github_token: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/,
  gitlab_token: /\bglpat-[A-Za-z0-9_-]{20,}\b/,
  slack_token: /\bxox[abeprs]-[A-Za-z0-9-]{10,}\b/,
  stripe_key: /\b[rs]k_live_[A-Za-z0-9]{16,}\b/,
  google_api_key: /\bAIza[0-9A-Za-z_-]{35}\b/,
  anthropic_key: /\bsk-ant-[A-Za-z0-9_-]{20,}\b/,
  openai_key: /\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}\b/,
  npm_token: /\bnpm_[A-Za-z0-9]{36}\b/,
  baton_key: /\bbtn_[A-Za-z0-9_-]{24,}\b/,
  json_web_token: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}/,
  url_password: /\b[a-z][a-z0-9+.-]{2,20}:\/\/[^\s/:@'"]{1,64}:[^\s/@'"]{3,}@[A-Za-z0-9.-]+/,
} satisfies Readonly<Record<string, RegExp>>;

/** One test over the whole text first: nearly every package has none of these. */
const BY_PREFIX = new RegExp(
  Object.entries(PATTERNS)
    .filter(([kind]) => kind !== 'url_password')
    .map(([, { source }]) => `(?:${source})`)
    .join('|'),
);

/** Any word may begin an address, so that looking for one takes longer than looking for all the others. */
function hasSecret(text: string): boolean {
  return BY_PREFIX.test(text) || (text.includes('://') && PATTERNS.url_password.test(text));
}

const MOST = 20;

/** What looks like a credential, with its place. `text` is the document as written. */
export function findSecrets(text: string, value: Json): readonly SecretFinding[] {
  // An escape can hide a pattern from the raw text, so a text with escapes is walked in any case.
  if (!hasSecret(text) && !text.includes('\\')) return [];
  const found: SecretFinding[] = [];
  walk(value, [], found);
  return found;
}

function walk(value: Json, path: (string | number)[], found: SecretFinding[]): void {
  if (found.length >= MOST) return;
  if (typeof value === 'string') {
    if (!hasSecret(value)) return;
    const [kind] = Object.entries(PATTERNS).find(([, pattern]) => pattern.test(value)) ?? [];
    if (kind) found.push({ kind, pointer: jsonPointer(path) });
    return;
  }
  const items: Iterable<[string | number, Json]> = Array.isArray(value)
    ? value.entries()
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, item] of items) {
    path.push(step);
    walk(item, path, found);
    path.pop();
  }
}
