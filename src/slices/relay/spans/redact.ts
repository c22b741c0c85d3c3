import { BareObject } from '../../../kernel/json/bare-object.ts';
import { type Cut, SECRET_DIGITS, SECRET_VALUES } from './secret-finders.ts';

export const REDACTED = '__REDACTED__';

const SECRET_KEY =
  /pass(?:word|wd|phrase)?$|secret|token$|api[_-]?key|authorization|cookie|credential|private[_-]?key/i;

const SECRETS = [...SECRET_VALUES, ...SECRET_DIGITS];

/** Each finder finds something only where one of these stands: most texts are spared the rest. */
const HINT =
  /-----BEGIN|eyJ|[spr]k[-_]|(?:gh[pousr]|glpat|github_pat|npm|pypi|hf|xox[abprs]|baton)[-_]|A[KS]IA|AIza|Bearer|Basic|pass|secret|token|api|:\/\/|@/i;
const HINT_OF_DIGITS = /\d{3}/;

function mayHaveSecrets(text: string, isId: boolean): boolean {
  return HINT.test(text) || (!isId && HINT_OF_DIGITS.test(text));
}

const NONE: readonly Cut[] = [];

export function redactText(text: string, isId = false): string {
  return withoutCuts(text, secretsIn(text, isId));
}

/** Where secrets stand: in order, none over another. Each finder sees what the ones before it left. */
export function secretsIn(text: string, isId = false): readonly Cut[] {
  if (!mayHaveSecrets(text, isId)) return NONE;
  let cuts = NONE;
  let safe = text;
  for (const find of isId ? SECRET_VALUES : SECRETS) {
    const found = find(safe);
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
