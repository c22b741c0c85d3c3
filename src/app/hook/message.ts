/** The client's message, made fit to be sent: without private passages, and bounded. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { REMOVED, withoutPrivate } from '../../slices/agents/clients/private-words.ts';
import { shellInput } from '../../slices/agents/clients/shell/shell-input.ts';
import { foldersNamed, fromHome, lookedUp, wordsOf } from './folders.ts';

export type Message = Readonly<Record<string, unknown>>;

/** Undefined for what is no JSON object. */
export function readMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The words that tell what an event is, in every client's form. */
export function eventName(message: Message): string {
  return String(message.hook_event_name ?? message.hook ?? '');
}

const LONGEST = 4_000;
/** What is decided by is sent whole, up to what a server takes. */
const WHOLE = new Set(['command', 'cmd', 'patch', 'patchText', 'prompt', 'url', 'input']);
const LONGEST_WHOLE = 500_000;
/** More than the server looks at, so that it sees that there was more. */
const MOST_MEMBERS = 1_000;
/** Of the whole message: a server takes 4 MB, and what it refuses to read it does not judge. */
const MOST_BYTES = 3_000_000;
const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path', 'dir_path', 'target_file'];
/** Whatever else an agent writes, these have their place; so has what the client says itself, beside its tool's input. */
const DECIDED_BY = new Set([...WHOLE, ...PATHS, 'script']);
const INPUTS = new Set(['tool_input', 'args', 'arguments']);

/**
 * Contents of files and long outputs are cut: nothing is decided by them, and nothing is kept of them. No message is
 * refused for what an agent writes into it: half a character becomes the one that a program is given in its place, and
 * where there is no more room it says that something was removed.
 */
export function sendable(message: Message): Message {
  return cut(withoutPrivate(message), '', 0, { left: MOST_BYTES }) as Message;
}

interface Room {
  left: number;
}

function cut(value: unknown, name: string, depth: number, room: Room): unknown {
  if (typeof value === 'string') return fitting(wellFormed(shortened(value, name)), room);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 8) return null;
  const each = Array.isArray(value) ? value : inOrder(Object.entries(value));
  room.left -= 24 * Math.min(each.length, MOST_MEMBERS);
  if (room.left < 0) return REMOVED;
  const some = each.slice(0, MOST_MEMBERS);
  if (Array.isArray(value)) return some.map((item) => cut(item, name, depth + 1, room));
  return Object.fromEntries(
    (some as [string, unknown][]).map(([key, member]) => [
      fitting(wellFormed(shortened(key, '')), room),
      cut(member, key, depth + 1, room),
    ]),
  );
}

function shortened(text: string, name: string): string {
  const most = WHOLE.has(name) ? LONGEST_WHOLE : LONGEST;
  if (text.length <= most) return text;
  // How a command went stands at its end.
  return WHOLE.has(name)
    ? `${text.slice(0, most)}${REMOVED}`
    : `${text.slice(0, most / 2)}\n…\n${text.slice(-most / 2)}`;
}

/** As a program is given it, in UTF-8. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

function fitting(text: string, room: Room): string {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes > room.left) return REMOVED;
  room.left -= bytes;
  return text;
}

function inOrder(members: [string, unknown][]): [string, unknown][] {
  const rank = ([name, member]: [string, unknown]) => {
    if (DECIDED_BY.has(name)) return 0;
    if (typeof member !== 'object') return 1;
    return INPUTS.has(name) ? 2 : 3;
  };
  return members.sort((one, other) => rank(one) - rank(other));
}

/** Where the paths of a tool's input really lead: only this process is sure to see the files. */
export function realPaths(message: Message, cwd: string): Record<string, string> {
  const found: Record<string, string> = {};
  const output = message.output as Message | undefined;
  for (const input of [message.tool_input, message, output?.args]) {
    if (typeof input !== 'object' || input === null) continue;
    for (const name of PATHS) {
      const path = (input as Message)[name];
      if (typeof path !== 'string' || path === '' || path.includes('\0') || path.length > 4_096) continue;
      found[path] = realPath(isAbsolute(path) ? path : resolve(cwd, path));
    }
    linkedWords(input as Message, cwd, found);
  }
  return found;
}

const MOST_WORDS = 2_000;

/** Of the words of a command line only those that lead through a link: the others are what they say. */
function linkedWords(input: Message, cwd: string, found: Record<string, string>): void {
  const { lines, argv, folder } = shellInput(input);
  const line = argv?.join(' ') ?? lines.join('\n');
  if (line === '') return;
  const words = new Set([...wordsOf(line.slice(0, 50_000))].slice(0, MOST_WORDS));
  const folders = foldersNamed(words, resolve(cwd, folder ?? '.'));
  for (const base of lookedUp(words, folders).map(realPath)) {
    for (const word of words) {
      if (word.length > 4_096 || word.includes('\0') || Object.hasOwn(found, word)) continue;
      const written = resolve(base, fromHome(word));
      const real = realPath(written);
      if (real !== written) found[word] = real;
    }
  }
}

/** Of a file that is still to be written, the folder's. */
function realPath(path: string): string {
  let at = path;
  const rest: string[] = [];
  for (;;) {
    try {
      return join(realpathSync(at), ...rest);
    } catch {
      if (dirname(at) === at) return path;
      rest.unshift(basename(at));
      at = dirname(at);
    }
  }
}
