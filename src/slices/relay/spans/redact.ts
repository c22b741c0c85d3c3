import { BareObject } from '../../../kernel/json/bare-object.ts';

export const REDACTED = '__REDACTED__';

const SECRET_KEY =
  /pass(?:word|wd|phrase)?$|secret|token$|api[_-]?key|authorization|cookie|credential|private[_-]?key/i;

/** Values that give themselves away wherever they stand. */
export const SECRET_VALUES: readonly RegExp[] = [
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
export const SECRET_DIGITS: readonly RegExp[] = [
  /\b\d{3}-\d{2}-\d{4}\b/g,
  /\b\d{13,16}\b/g,
  /\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}\b/g,
  /\b\d{4}[ -]\d{6}[ -]\d{4,5}\b/g,
];

const SECRETS = [...SECRET_VALUES, ...SECRET_DIGITS];

/** Each pattern above finds something only where one of these stands: most texts are spared the rest. */
const HINT =
  /-----BEGIN|eyJ|[spr]k[-_]|(?:gh[pousr]|glpat|github_pat|npm|pypi|hf|xox[abprs]|baton)[-_]|A[KS]IA|AIza|Bearer|Basic|pass|secret|token|api|:\/\/|@/i;
const HINT_OF_DIGITS = /\d{3}/;

function mayHaveSecrets(text: string, isId: boolean): boolean {
  return HINT.test(text) || (!isId && HINT_OF_DIGITS.test(text));
}

/** From `start` to before `end` in a text. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

const NONE: readonly Cut[] = [];

export function redactText(text: string, isId = false): string {
  return withoutCuts(text, secretsIn(text, isId));
}

/** Where secrets stand: in order, none over another. Each pattern sees what the ones before it left. */
export function secretsIn(text: string, isId = false): readonly Cut[] {
  if (!mayHaveSecrets(text, isId)) return NONE;
  let cuts = NONE;
  let safe = text;
  for (const pattern of isId ? SECRET_VALUES : SECRETS) {
    const found = matchesOf(pattern, safe);
    if (found.length === 0) continue;
    cuts = united(cuts, found);
    safe = withoutCuts(text, cuts);
  }
  return cuts;
}

function withoutCuts(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text;
  let safe = '';
  let at = 0;
  for (const { start, end } of cuts) {
    safe += text.slice(at, start) + REDACTED;
    at = end;
  }
  return safe + text.slice(at);
}

function matchesOf(pattern: RegExp, text: string): Cut[] {
  const found: Cut[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const named = match[3] === undefined ? 0 : `${match[1]}${match[2]}`.length;
    found.push({ start: match.index + named, end: match.index + match[0].length });
  }
  return found;
}

/** `found` is counted in the text as `cuts` leave it; all that is answered in the text itself. */
function united(cuts: readonly Cut[], found: readonly Cut[]): Cut[] {
  const placeOf = placesBehind(cuts);
  const all = [
    ...cuts,
    ...found.map(({ start, end }) => ({ start: placeOf(start, 'start'), end: placeOf(end, 'end') })),
  ];
  const merged: Cut[] = [];
  for (const cut of all.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && cut.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, cut.end) };
    else merged.push(cut);
  }
  return merged;
}

/**
 * Where a place in the text as `cuts` leave it stands in the text itself. What begins or ends within a mask takes all
 * that it hides. To be asked in order: a text may have very many secrets.
 */
function placesBehind(cuts: readonly Cut[]): (place: number, edge: keyof Cut) => number {
  let passed = 0;
  let longer = 0;
  return (place, edge) => {
    for (let cut = cuts[passed]; cut; cut = cuts[passed]) {
      const from = cut.start + longer;
      const to = from + REDACTED.length;
      if (place < to) return place > from ? cut[edge] : place - longer;
      longer = to - cut.end;
      passed += 1;
    }
    return place - longer;
  };
}

/** The same value with secrets masked: by the name of the member that holds them, or by how they look. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  const safe: Record<string, unknown> = new BareObject();
  for (const key of Object.keys(value))
    safe[key] = redactMember(key, (value as Record<string, unknown>)[key]);
  return safe;
}

export function redactMember(key: string, member: unknown): unknown {
  const isBare = typeof member === 'string' || typeof member === 'number';
  return isBare && SECRET_KEY.test(key) ? REDACTED : redactValue(member);
}
