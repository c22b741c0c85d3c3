/** The words of a command line, and the folders that it may be in when it comes to them. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

const MOST_WORDS = 20_000;
const MOST_FOLDERS = 8;
/** With more words a line is looked up in one folder only. */
const MOST_LOOKED_UP = 500;

export function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[^\s'"`;&|<>()=]+/g)?.slice(0, MOST_WORDS));
}

/** `cd packages/a && ./x.sh`, `make -C a`: first the folder where it begins. */
export function foldersNamed(words: ReadonlySet<string>, start: string): string[] {
  const folders = [start];
  for (const word of words.size > MOST_LOOKED_UP ? [] : words) {
    if (/^(?:-|\.\/?$)/.test(word) || word.length > 1_000 || word.includes('\0')) continue;
    for (const base of [...folders]) {
      const path = resolve(base, fromHome(word));
      if (folders.length < MOST_FOLDERS && !folders.includes(path) && isFolder(path)) folders.push(path);
    }
  }
  return folders;
}

/** The folders in which so many words are worth looking up. */
export function lookedUp(words: ReadonlySet<string>, folders: readonly string[]): readonly string[] {
  return words.size > MOST_LOOKED_UP ? folders.slice(0, 1) : folders;
}

export function fromHome(word: string): string {
  return word.replace(/^~(?=\/|$)/, homedir());
}

/** No for what cannot be looked at, too. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
