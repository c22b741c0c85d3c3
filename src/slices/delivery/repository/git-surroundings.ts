import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Hasher } from '../../../kernel/hasher.ts';
import { environmentOfOthers } from '../environment.ts';
import { gitProgram } from './git.ts';

/**
 * What git does is also decided outside the repository: by the program itself, and by its user's configuration, which
 * can have every file that a turn wrote rewritten on its way into a commit.
 */
export type Surroundings = Readonly<Record<string, string>>;

/** Settings whose value is another file that git reads. */
const NAMES_A_FILE = /^\s*(?:path|excludesfile|attributesfile)\s*=\s*"?([^"\n]+?)"?\s*$/gim;
const LARGEST = 4 * 1024 * 1024;
const MOST_FILES = 50;

/** Each by its name, with something that changes when it does. */
export async function gitSurroundings(commonDir: string, hasher: Hasher): Promise<Surroundings> {
  const env = environmentOfOthers();
  const home = env.HOME ?? homedir();
  const ofUser = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git');
  const seen: Record<string, string> = {};
  const waiting = [
    '/etc/gitconfig',
    env.GIT_CONFIG_SYSTEM,
    env.GIT_CONFIG_GLOBAL ?? join(home, '.gitconfig'),
    ...['config', 'attributes', 'ignore'].map((name) => join(ofUser, name)),
    join(commonDir, 'config'),
  ].filter((file) => file !== undefined);
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (Object.hasOwn(seen, file) || Object.keys(seen).length >= MOST_FILES) continue;
    const bytes = await contentOf(file);
    seen[file] = bytes === undefined ? 'absent' : hasher.hex(bytes);
    for (const [, named = ''] of (bytes?.toString('utf8') ?? '').matchAll(NAMES_A_FILE))
      waiting.push(placeOf(named, file, home));
  }
  const program = await gitProgram();
  const info = await stat(program).catch(() => undefined);
  return { ...seen, git: `${program} ${info?.size} ${info?.mtimeMs} ${info?.ino}` };
}

/** Whoever keeps their configuration elsewhere has a link here. */
async function contentOf(file: string): Promise<Buffer | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isFile() !== true || info.size > LARGEST) return undefined;
  return readFile(file).catch(() => undefined);
}

function placeOf(named: string, file: string, home: string): string {
  if (named.startsWith('~/')) return join(home, named.slice(2));
  return isAbsolute(named) ? named : join(dirname(file), named);
}

export function differing(a: Surroundings, b: Surroundings): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]).sort();
}
