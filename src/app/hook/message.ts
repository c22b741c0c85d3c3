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

/** Contents of files and long outputs are cut: nothing is decided by them, and nothing is kept of them. */
export function sendable(message: Message): Message {
  return cut(withoutPrivate(message), '', 0) as Message;
}

function cut(value: unknown, name: string, depth: number): unknown {
  if (typeof value === 'string') {
    const most = WHOLE.has(name) ? LONGEST_WHOLE : LONGEST;
    if (value.length <= most) return value;
    // How a command went stands at its end.
    return WHOLE.has(name)
      ? `${value.slice(0, most)}${REMOVED}`
      : `${value.slice(0, most / 2)}\n…\n${value.slice(-most / 2)}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 8) return null;
  if (Array.isArray(value)) return value.slice(0, MOST_MEMBERS).map((each) => cut(each, name, depth + 1));
  const members = Object.entries(value).slice(0, MOST_MEMBERS);
  return Object.fromEntries(members.map(([key, member]) => [key, cut(member, key, depth + 1)]));
}

const PATHS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path', 'dir_path', 'target_file'];

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
