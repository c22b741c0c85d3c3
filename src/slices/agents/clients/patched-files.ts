/** The files that the text of a patch changes, whichever form it has. */

export interface PatchedFile {
  readonly path: string;
  readonly deletes: boolean;
}

/** `*** Update File: path` and its like. */
export function filesOfEnvelope(patch: string): PatchedFile[] {
  const found = patch.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm);
  return [...found].map(([, verb, path = '']) => ({ path, deletes: verb === 'Delete File' }));
}

const HEADERS =
  /^(?:---|\+\+\+|\*\*\*|Index:|Prereq:|rename (?:from|to)|copy (?:from|to)|diff --git)[ \t]+(.+?)\r?$/gm;

/**
 * The names in the headers of a diff. Programs differ in which of them they take and how many folders they leave out,
 * so these are all that stand there, as they are written.
 */
export function namesInDiff(diff: string): string[] {
  const names = [...diff.matchAll(HEADERS)].flatMap(([header, rest = '']) =>
    header.startsWith('diff --git') ? pairOf(rest) : nameOf(rest),
  );
  return [...new Set(names)].filter((name) => name !== '' && name !== '/dev/null');
}

/** `a/x b/x`, where either may be in quotes. */
function pairOf(text: string): string[] {
  const quoted = [...text.matchAll(/"(?:\\.|[^"\\])*"/g)].map(([each]) => unquoted(each));
  const half = / b\/(.+)$/.exec(text)?.[1];
  return half === undefined ? quoted : [...quoted, `b/${half}`];
}

/** Up to the time after it, which stands behind a tab, or behind a space that may belong to the name. */
function nameOf(text: string): string[] {
  if (text.startsWith('"')) return [unquoted(/^"(?:\\.|[^"\\])*"/.exec(text)?.[0] ?? text)];
  const [name = ''] = text.split('\t', 1);
  return [name.trim(), name.split(' ', 1)[0] as string];
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\([0-7]{1,3}|.)/gs, (_all, sign: string) => {
    if (/^[0-7]/.test(sign)) return String.fromCharCode(Number.parseInt(sign, 8));
    return Object.hasOwn(ESCAPES, sign) ? (ESCAPES[sign] as string) : sign;
  });
}
