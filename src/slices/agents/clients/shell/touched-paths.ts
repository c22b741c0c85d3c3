/** The files that a command names, and what it does with them as far as its name tells. */
import type { Word } from '../../../../kernel/shell/split-line.ts';

export interface TouchedPath {
  readonly action: 'file.read' | 'file.write' | 'file.delete';
  readonly word: Word;
  /** The program may as well write it: nobody knows what it does. */
  readonly unsure?: true;
}

const MOST = 50;
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

export interface TouchedPaths {
  readonly paths: readonly TouchedPath[];
  /** It names more than these. */
  readonly more: boolean;
}

export function touchedPaths(program: string, words: readonly Word[]): TouchedPaths {
  const end = words.findIndex(({ text }) => text === '--');
  const named = words.filter(({ text }, at) => {
    if (at === 0) return false;
    if (end > 0 && at > end) return true;
    return !text.startsWith('-') && text !== '';
  });
  const all = found(program, words, named);
  return { paths: all.slice(0, MOST), more: all.length > MOST };
}

function found(program: string, words: readonly Word[], named: readonly Word[]): TouchedPath[] {
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
  if (program === 'ln') return all('file.write', named);
  if (MOVE.has(program)) {
    return [...all('file.delete', named.slice(0, -1)), ...all('file.write', named.slice(-1))];
  }
  if (COPY.has(program)) {
    return [...all('file.read', named.slice(0, -1)), ...all('file.write', named.slice(-1))];
  }
  if (program === 'dd') {
    return words.flatMap((word): TouchedPath[] => {
      const [, side, text] = /^(of|if)=(.+)$/s.exec(word.text) ?? [];
      if (text === undefined) return [];
      return [{ action: side === 'of' ? 'file.write' : 'file.read', word: { ...word, text } }];
    });
  }
  const inPlace = /^(?:sed|perl|ruby)$/.test(program) && words.some(({ text }) => /^-[a-zA-Z]*i/.test(text));
  const paths = [...named, ...optionValues(words)].filter(({ text }) => isPath(text));
  if (program === 'find' && words.some(({ text }) => text === '-delete')) return all('file.delete', paths);
  if (inPlace) return all('file.write', named.slice(1));
  const read = all('file.read', paths);
  // git's words are told apart elsewhere.
  return READERS.has(program) || program === 'git' ? read : read.map((each) => ({ ...each, unsure: true }));
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
  return /^(?:~|\.|\/|[A-Za-z]:[\\/])|[\\/]|^\$HOME|\.(?:env|pem|key)$/.test(text);
}
