/** What the scripts say that a command line runs: a file of commands, or a script of package.json. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Script } from '../../slices/agents/clients/paths.ts';
import { withoutPrivate } from '../../slices/agents/clients/private-words.ts';
import type { Message } from './message.ts';

const LARGEST = 64_000;
const MOST_WORDS = 500;
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
      if (texts.length > MOST_SCRIPTS) return found;
      found[name] = script;
      texts.push(script.text);
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
    if (/\.(?:ba|z|k)?sh$/.test(word) || OF_SHELLS.test(read.text) || toShell()) found[word] = read;
  }
  return found;
}

function readScript(path: string, now: number): Script | undefined {
  try {
    const { ctimeMs, size } = statSync(path);
    if (size > LARGEST || now - ctimeMs > OLDEST_MILLIS) return undefined;
    const text = readFileSync(path, 'utf8');
    return text.includes('\0') ? undefined : { text: withoutPrivate(text) as string, changed_at: ctimeMs };
  } catch {
    return undefined;
  }
}

const SHORT: Readonly<Record<string, string>> = {
  t: 'test',
  tst: 'test',
  i: 'install',
  ci: 'install',
  add: 'install',
};

function packageScripts(
  text: string,
  words: ReadonlySet<string>,
  folder: string,
  now: number,
): Record<string, Script> {
  const found: Record<string, Script> = {};
  if (!/\b(?:npm|pnpm|yarn|bun)\b/.test(text)) return found;
  const named = new Set([...words].map((word) => SHORT[word] ?? word));
  const read = nearestPackage(folder, now);
  for (const [name, line] of Object.entries(scriptsOf(read?.text ?? ''))) {
    if (read === undefined || typeof line !== 'string') continue;
    for (const word of new Set([name, name.replace(/^(?:pre|post)(?=.)/, '')])) {
      if (!named.has(word)) continue;
      const before = found[`npm:${word}`];
      found[`npm:${word}`] = { ...read, text: before === undefined ? line : `${before.text}\n${line}` };
    }
  }
  return found;
}

function nearestPackage(folder: string, now: number): Script | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path)) return readScript(path, now);
  return dirname(folder) === folder ? undefined : nearestPackage(dirname(folder), now);
}

function scriptsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> }).scripts ?? {};
  } catch {
    return {};
  }
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
