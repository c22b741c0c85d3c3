/**
 * Where values stand that give themselves away, in time linear in the text. Most are plain patterns: each begins with
 * fixed letters and takes the rest of its run in one go. Three would start anew at every letter of a long run, which
 * makes 64 KB of hex digits a matter of minutes: they are looked for from what stands in their middle.
 */

/** From `start` to before `end` in a text. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

export type Finder = (text: string) => Cut[];

function matchesOf(pattern: RegExp): Finder {
  return (text) => {
    const found: Cut[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const named = match[3] === undefined ? 0 : `${match[1]}${match[2]}`.length;
      found.push({ start: match.index + named, end: match.index + match[0].length });
    }
    return found;
  };
}

const isWordAt = (text: string, at: number) => isWord(text.charCodeAt(at));

/** `\w`; false past either end, where the code is no number. */
function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

const HYPHEN = 45;

/** The end of the run of `[\w-]` that `from` is in. */
function endOfRun(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); isWord(code) || code === HYPHEN; code = text.charCodeAt(at)) at += 1;
  return at;
}

const LEAST_SEGMENT = 8;

/** `\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*` */
export function findTokens(text: string): Cut[] {
  const found: Cut[] = [];
  let runEnd = 0;
  for (let at = text.indexOf('eyJ'); at >= 0; ) {
    if (isWordAt(text, at - 1) && at > 0) {
      at = text.indexOf('eyJ', at + 1);
      continue;
    }
    if (runEnd <= at) runEnd = endOfRun(text, at);
    const payloadEnd = text[runEnd] === '.' ? endOfRun(text, runEnd + 1) : runEnd;
    const fits =
      runEnd - (at + 3) >= LEAST_SEGMENT &&
      payloadEnd - (runEnd + 1) >= LEAST_SEGMENT &&
      text[payloadEnd] === '.';
    if (fits) {
      const end = endOfRun(text, payloadEnd + 1);
      found.push({ start: at, end });
      runEnd = end;
    }
    // Another that begins in the same run would end as this one did.
    at = text.indexOf('eyJ', runEnd);
  }
  return found;
}

const USER_AND_PASSWORD = /[^\s/:@]+:[^\s/@]+@/y;

function isSchemeLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Of `[a-z0-9+.-]`, in either case. */
function isOfScheme(code: number): boolean {
  return isSchemeLetter(code) || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

/** `\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@` in either case. */
export function findAddresses(text: string): Cut[] {
  const found: Cut[] = [];
  let done = 0;
  for (let colon = text.indexOf('://'); colon >= 0; colon = text.indexOf('://', Math.max(colon + 1, done))) {
    let start = colon;
    for (let at = colon - 1; at >= done && isOfScheme(text.charCodeAt(at)); at -= 1) {
      if (isSchemeLetter(text.charCodeAt(at)) && !isWordAt(text, at - 1)) start = at;
    }
    if (start === colon) continue;
    USER_AND_PASSWORD.lastIndex = colon + 3;
    if (!USER_AND_PASSWORD.test(text)) continue;
    done = USER_AND_PASSWORD.lastIndex;
    found.push({ start, end: done });
  }
  return found;
}

const HOST_NAME = /[\w-]+(?:\.[\w-]+)+/y;

/** Of `[\w.+-]`. */
function isOfMailbox(code: number): boolean {
  return isWord(code) || code === 43 || code === 45 || code === 46;
}

/** `[\w.+-]+@[\w-]+(?:\.[\w-]+)+` */
export function findMailboxes(text: string): Cut[] {
  const found: Cut[] = [];
  let done = 0;
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', Math.max(sign + 1, done))) {
    let start = sign;
    while (start > done && isOfMailbox(text.charCodeAt(start - 1))) start -= 1;
    if (start === sign) continue;
    HOST_NAME.lastIndex = sign + 1;
    if (!HOST_NAME.test(text)) continue;
    done = HOST_NAME.lastIndex;
    found.push({ start, end: done });
  }
  return found;
}

/** Values that give themselves away wherever they stand. */
export const SECRET_VALUES: readonly Finder[] = [
  matchesOf(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g),
  findTokens,
  matchesOf(/\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_\w]{16,}/g),
  matchesOf(/\b(?:ghp|gho|ghu|ghs|ghr|glpat|github_pat|npm|pypi|hf|xox[abprs]|baton)[-_][\w-]{16,}/g),
  matchesOf(/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  matchesOf(/\bAIza[\w-]{30,}/g),
  matchesOf(/\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi),
  matchesOf(/\b(pass(?:word|wd|phrase)?|secret|token|api[_-]?key)\b(["']?\s*[:=]\s*["']?)([^\s"',;&]{4,})/gi),
  findAddresses,
  findMailboxes,
];

/**
 * Numbers of people and of cards, in a row or in the groups that they are printed in; small numbers side by side are
 * neither. Not looked for in ids, which may well have such digits.
 */
export const SECRET_DIGITS: readonly Finder[] = [
  matchesOf(/\b\d{3}-\d{2}-\d{4}\b/g),
  matchesOf(/\b\d{13,16}\b/g),
  matchesOf(/\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}\b/g),
  matchesOf(/\b\d{4}[ -]\d{6}[ -]\d{4,5}\b/g),
];
