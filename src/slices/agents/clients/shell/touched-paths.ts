/** The files that a command names, and what it does with them as far as its name tells. */
import type { Word } from '../../../../kernel/shell/split-line.ts';

export interface TouchedPath {
  readonly action: 'file.read' | 'file.write' | 'file.delete';
  readonly word: Word;
  /** The program may as well write it: nobody knows what it does. */
  readonly unsure?: true;
  /** Nobody knows whether it is written, as in a target that may be a folder: of interest where a rule guards the name. */
  readonly perhaps?: true;
}

const MOST = 200;
const DELETE = new Set(['rm', 'rmdir', 'unlink', 'shred', 'trash', 'del', 'erase', 'rd']);
const WRITE = new Set(['tee', 'touch', 'truncate', 'mkdir', 'mktemp']);
const WRITE_AFTER_FIRST = new Set(['chmod', 'chown', 'chgrp']);
const COPY = new Set(['cp', 'install', 'rsync', 'scp', 'copy']);
const MOVE = new Set(['mv', 'move', 'rename']);
/** What they name they only look at. Of any other program it is not known. */
export const READERS = new Set([
  ...[
    'cat',
    'bat',
    'batcat',
    'head',
    'tail',
    'less',
    'more',
    'nl',
    'tac',
    'od',
    'xxd',
    'hexdump',
    'strings',
    'wc',
  ],
  ...[
    'grep',
    'egrep',
    'fgrep',
    'zgrep',
    'rg',
    'ag',
    'ack',
    'find',
    'fd',
    'ls',
    'll',
    'dir',
    'tree',
    'stat',
    'file',
  ],
  ...[
    'diff',
    'cmp',
    'comm',
    'cut',
    'uniq',
    'tr',
    'paste',
    'join',
    'column',
    'fold',
    'jq',
    'du',
    'df',
    'type',
  ],
  ...[
    'md5sum',
    'sha1sum',
    'sha256sum',
    'sha512sum',
    'shasum',
    'cksum',
    'b2sum',
    'base64',
    'readlink',
    'realpath',
  ],
  ...[
    'basename',
    'dirname',
    'echo',
    'printf',
    'test',
    '[',
    'cd',
    'pushd',
    'which',
    'man',
    'cloc',
    'sed',
    'read',
  ],
]);

/** What they are given they only repeat, or look up by its name. */
const MENTION = new Set(['echo', 'printf', 'basename', 'dirname', 'which', 'type', 'man']);
/** Their first word is a pattern or a script, unless an option brings it. */
const PATTERN_FIRST = /^(?:[efz]?grep|rg|ag|ack|g?sed)$/;

export interface TouchedPaths {
  readonly paths: readonly TouchedPath[];
  /** It names more than these. */
  readonly more: boolean;
}

/** `scripted`: the words of a program in another language were taken out already. */
export function touchedPaths(program: string, words: readonly Word[], scripted = false): TouchedPaths {
  const end = words.findIndex(({ text }) => text === '--');
  const named = words.filter(({ text }, at) => {
    if (at === 0) return false;
    if (end > 0 && at > end) return true;
    return !text.startsWith('-') && text !== '';
  });
  const all = found(program, words, named, scripted);
  return { paths: all.slice(0, MOST), more: all.length > MOST };
}

function found(
  program: string,
  words: readonly Word[],
  named: readonly Word[],
  scripted: boolean,
): TouchedPath[] {
  const all = (action: TouchedPath['action'], from: readonly Word[]) =>
    from.map((word) => ({ action, word }));
  if (DELETE.has(program)) return all('file.delete', named);
  if (WRITE.has(program)) return all('file.write', named);
  if (WRITE_AFTER_FIRST.has(program)) {
    // `chmod -x FILE`: the mode looks like an option.
    const mode = words.some(({ text }) => /^-[rwxXst]+$/.test(text));
    return all('file.write', named.slice(mode ? 0 : 1));
  }
  // Whoever can write through a link can write what it leads to.
  if (program === 'ln') return [...all('file.write', named), ...copiesIn(words, named)];
  if (MOVE.has(program)) {
    return [...all('file.delete', sourcesOf(words, named)), ...writtenBy(words, named)];
  }
  if (COPY.has(program)) {
    return [...all('file.read', sourcesOf(words, named)), ...writtenBy(words, named)];
  }
  if (program === 'dd') {
    return words.flatMap((word): TouchedPath[] => {
      const [, side, text] = /^(of|if)=(.+)$/s.exec(word.text) ?? [];
      if (text === undefined) return [];
      return [{ action: side === 'of' ? 'file.write' : 'file.read', word: { ...word, text } }];
    });
  }
  if (MENTION.has(program)) return [];
  const inPlace = /^(?:sed|perl|ruby)$/.test(program) && words.some(({ text }) => /^-[a-zA-Z]*i/.test(text));
  const files = PATTERN_FIRST.test(program) && !givenScript(words) ? named.slice(1) : named;
  const paths = [...files, ...optionValues(words)].filter(({ text }) => isPath(text));
  if (program === 'find' && words.some(({ text }) => text === '-delete')) return all('file.delete', paths);
  if (inPlace) return all('file.write', scripted || givenScript(words) ? named : named.slice(1));
  if (program === 'sed') return [...all('file.read', paths), ...all('file.write', sedWrites(words))];
  if (writesWhatItNames(program, words, named)) return all('file.write', named);
  const read = all('file.read', paths);
  // git's words are told apart elsewhere.
  return READERS.has(program) || program === 'git' ? read : read.map((each) => ({ ...each, unsure: true }));
}

/** The folder of `-t FOLDER`, before the sources instead of after them. */
function targetOf(words: readonly Word[]): Word | undefined {
  for (const [at, word] of words.entries()) {
    const [, glued] = /^(?:--target-directory=|-t)(.+)$/s.exec(word.text) ?? [];
    if (glued !== undefined) return { ...word, text: glued };
    if (/^(?:-[a-zA-Z]*t|--target-directory)$/.test(word.text)) return words[at + 1];
  }
  return undefined;
}

function sourcesOf(words: readonly Word[], named: readonly Word[]): readonly Word[] {
  const target = targetOf(words);
  return target === undefined ? named.slice(0, -1) : named.filter(({ text }) => text !== target.text);
}

function writtenBy(words: readonly Word[], named: readonly Word[]): TouchedPath[] {
  const target = targetOf(words) ?? named.at(-1);
  if (target === undefined) return [];
  return [{ action: 'file.write', word: target }, ...copiesIn(words, named)];
}

/** What a copy is if the target is a folder: it keeps the source's name. */
function copiesIn(words: readonly Word[], named: readonly Word[]): TouchedPath[] {
  const target = targetOf(words) ?? named.at(-1);
  if (target === undefined) return [];
  return sourcesOf(words, named).flatMap(({ text, literal }): TouchedPath[] => {
    const name = /([^/\\]+)[/\\]*$/.exec(text)?.[1];
    if (name === undefined || name === '.' || name === '..') return [];
    const word = { text: `${target.text}/${name}`, literal: literal && target.literal };
    return [{ action: 'file.write', word, perhaps: true }];
  });
}

/** Whether an option brings the script, so that every other word is a file. */
function givenScript(words: readonly Word[]): boolean {
  return words.some(({ text }) => /^-[a-zA-Z]*[ef]|^--(?:expression|file|regexp|files)(?:=|$)/.test(text));
}

/** `w FILE`, as a command or as what `s` does with its result. */
function sedWrites(words: readonly Word[]): Word[] {
  return words.flatMap(({ text }) =>
    // A longer script is not looked through: nobody can tell what it runs either.
    [...text.slice(0, 2_000).matchAll(/(?:^|[\s;{}!0-9$/,|#@])[gpiIMm0-9]*[wW]\s+([^\s;}]+)/g)].map(
      ([, path = '']) => ({
        text: path,
        literal: true,
      }),
    ),
  );
}

/** Programs that only look at what they name, unless they are told to write. */
function writesWhatItNames(program: string, words: readonly Word[], named: readonly Word[]): boolean {
  const told = (option: RegExp) => words.some(({ text }) => option.test(text));
  if (program === 'find') return told(/^-f(?:print|ls)/);
  if (program === 'tree') return told(/^-o/);
  if (program === 'less') return told(/^(?:-[oO]|--log-file|--LOG-FILE)/);
  if (program === 'diff') return told(/^--output/);
  return (program === 'uniq' || program === 'xxd') && named.length > 1;
}

function optionValues(words: readonly Word[]): Word[] {
  return words.flatMap((word) => {
    const [, after, glued] = /^--?[\w-]+=(.+)$|^-[A-Za-z]([.~/].+)$/s.exec(word.text) ?? [];
    const value = after ?? glued;
    return value === undefined ? [] : [{ ...word, text: value }];
  });
}

/** Looks like one: a folder in it, hidden, from home, or with a drive. Addresses and sentences are none. */
export function isPath(text: string): boolean {
  if (text.length > 4_096 || /:\/\/|\n/.test(text) || /\s.*\s/.test(text)) return false;
  return /^(?:~|\.|\/|[A-Za-z]:[\\/])|[\\/]|^\$HOME|\.(?:env|pem|key)$|^opencode\.jsonc?$|^id_(?:rsa|ed25519|ecdsa|dsa)$/.test(
    text,
  );
}
