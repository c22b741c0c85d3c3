/** What the scripts say that a command line runs: a file of commands, or a script of package.json. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Script } from '../../slices/agents/clients/paths.ts';
import { REMOVED, withoutPrivate } from '../../slices/agents/clients/private-words.ts';
import { scriptName } from '../../slices/agents/clients/script-names.ts';
import type { Message } from './message.ts';

const LARGEST = 32_000;
const MOST_WORDS = 20_000;
const MOST_SCRIPTS = 10;
/** An older one was there before any session that could have written it. */
const OLDEST_MILLIS = 7 * 86_400_000;
const OF_SHELLS = /^#!.*\b(?:ba|z|da|k|a|fi)?sh\b/;

/** By the word that names it in the line; `npm:NAME` for a script of package.json. */
export function scriptsIn(message: Message, cwd: string, now: number): Record<string, Script> {
  const found: Record<string, Script> = {};
  const input = message.tool_input ?? (message.output as Message | undefined)?.args ?? message;
  const { command, cmd, workdir, directory } = input as Message;
  const line = Array.isArray(command) ? command.join(' ') : (command ?? cmd);
  if (typeof line !== 'string') return found;
  const base = [workdir, directory].find((folder) => typeof folder === 'string') ?? '.';
  const folder = resolve(cwd, String(base));
  // Scripts name scripts in their turn.
  const texts = [line];
  for (const text of texts) {
    const words = new Set(text.match(/[^\s'"`;&|<>()=]+/g)?.slice(0, MOST_WORDS));
    const named = { ...filesNamed(text, words, folder, now), ...packageScripts(text, words, folder, now) };
    for (const [name, script] of Object.entries(named)) {
      if (Object.hasOwn(found, name)) continue;
      const known = texts.length <= MOST_SCRIPTS;
      found[name] = known ? script : { ...script, text: REMOVED };
      if (known) texts.push(script.text);
    }
  }
  return found;
}

function filesNamed(
  text: string,
  words: ReadonlySet<string>,
  folder: string,
  now: number,
): Record<string, Script> {
  const found: Record<string, Script> = {};
  for (const word of words) {
    if (word.startsWith('-') || word.length > 1_000) continue;
    const read = readScript(resolve(folder, word.replace(/^~(?=\/)/, homedir())), now);
    if (read === undefined) continue;
    const toShell = () => new RegExp(`sh(?:\\s+-\\w+)*\\s+['"]?${escaped(word)}`).test(text);
    const { executable, ...script } = read;
    const bare = executable && !script.text.startsWith('#!');
    if (/\.(?:ba|z|k)?sh$/.test(word) || OF_SHELLS.test(script.text) || bare || toShell())
      found[word] = script;
  }
  return found;
}

type ScriptFile = Script & { readonly executable: boolean };

/** What is beyond the limit is not known, and says so. Undefined for what is no text, or no file: a pipe would not end. */
function readScript(path: string, now: number): ScriptFile | undefined {
  let file: number | undefined;
  try {
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, 'r');
    const { ctimeMs, mode } = fstatSync(file);
    if (now - ctimeMs > OLDEST_MILLIS) return undefined;
    const bytes = Buffer.alloc(LARGEST + 1);
    const length = readSync(file, bytes);
    const text = bytes.toString('utf8', 0, Math.min(length, LARGEST));
    // Shells take a file for text by its beginning.
    if (text.slice(0, 200).includes('\0')) return undefined;
    const known = withoutPrivate(text) as string;
    const executable = (mode & 0o111) !== 0;
    return { text: length > LARGEST ? `${known}\n${REMOVED}` : known, changed_at: ctimeMs, executable };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function packageScripts(
  text: string,
  words: ReadonlySet<string>,
  folder: string,
  now: number,
): Record<string, Script> {
  const found: Record<string, Script> = {};
  if (!/\b(?:npm|pnpm|yarn|bun)\b/.test(text)) return found;
  const named = new Set([...words].map(scriptName));
  const read = nearestPackage(folder, now);
  if (read === undefined) return found;
  const add = (name: string, line: string) => {
    const before = found[`npm:${name}`];
    const whole = before === undefined ? line : `${before.text}\n${line}`;
    found[`npm:${name}`] = { text: whole, changed_at: read.changed_at };
  };
  const scripts = scriptsOf(read.text);
  if (scripts === undefined) for (const name of named) add(name, REMOVED);
  for (const [name, line] of Object.entries(scripts ?? {})) {
    if (typeof line !== 'string') continue;
    for (const each of new Set([name, name.replace(/^(?:pre|post)(?=.)/, '')]))
      if (named.has(each)) add(each, line);
  }
  return found;
}

function nearestPackage(folder: string, now: number): ScriptFile | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path)) return readScript(path, now);
  return dirname(folder) === folder ? undefined : nearestPackage(dirname(folder), now);
}

/** Undefined where nobody can read them: the file is larger than what is looked at. */
function scriptsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> }).scripts ?? {};
  } catch {
    return undefined;
  }
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
