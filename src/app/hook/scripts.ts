/** What the files say that a command line runs or applies: scripts, programs, makefiles, scripts of package.json, patches. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FOUND_BY_MAKE, MAKEFILES } from '../../slices/agents/clients/makefiles.ts';
import type { Script } from '../../slices/agents/clients/paths.ts';
import { REMOVED, withoutPrivate } from '../../slices/agents/clients/private-words.ts';
import { scriptName } from '../../slices/agents/clients/script-names.ts';
import { shellInput } from '../../slices/agents/clients/shell/shell-input.ts';
import { foldersNamed, fromHome, lookedUp, wordsOf } from './folders.ts';
import type { Message } from './message.ts';

const LARGEST = 32_000;
const MOST_SCRIPTS = 10;
/** An older one was there before any session that could have written it. */
const OLDEST_MILLIS = 7 * 86_400_000;
const SCRIPT_NAME = /\.(?:(?:ba|z|k)?sh|pyw?|[cm]?[jt]s|rb|pl|php|lua)$/;
/** Any file that such a line names may be what it runs or applies. */
const TAKES_ANY_FILE =
  /(?:^|[\s;&|(/])(?:git\s.{0,300}\b(?:apply|am)|g?patch|g?make|python[\d.]*|pypy3?|node(?:js)?|bun|deno|tsx|ts-node|ruby|perl|php|lua(?:jit)?)(?=\s|$)/;

/** By the word that names it in the line; `npm:NAME` for a script of package.json. */
export function scriptsIn(message: Message, cwd: string, now: number): Record<string, Script> {
  const found: Record<string, Script> = {};
  const input = message.tool_input ?? (message.output as Message | undefined)?.args ?? message;
  const { lines, argv, folder } = shellInput(input as Message);
  const line = argv?.join(' ') ?? lines.join('\n');
  if (line === '') return found;
  const folders = foldersNamed(wordsOf(line), resolve(cwd, folder ?? '.'));
  // Scripts name scripts in their turn.
  const texts = [line];
  for (const text of texts) {
    const words = wordsOf(text);
    const named: Record<string, Script> = {};
    for (const folder of lookedUp(words, folders)) {
      // The same name in several folders: nobody knows which the line means.
      for (const [name, script] of [
        ...Object.entries(filesNamed(text, words, folder, now)),
        ...Object.entries(packageScripts(text, words, folder, now)),
        ...makefileIn(text, folder, now),
      ])
        named[name] = joined(named[name], script);
    }
    for (const [name, script] of Object.entries(named)) {
      if (Object.hasOwn(found, name)) continue;
      const known = texts.length <= MOST_SCRIPTS;
      found[name] = known ? script : { ...script, text: REMOVED };
      if (known) texts.push(script.text);
    }
  }
  return found;
}

function joined(one: Script | undefined, other: Script): Script {
  if (one === undefined || one.text === other.text) return other;
  return { text: `${one.text}\n${other.text}`, changed_at: Math.max(one.changed_at, other.changed_at) };
}

function makefileIn(text: string, folder: string, now: number): [string, Script][] {
  if (!/\bg?make\b/.test(text)) return [];
  const path = MAKEFILES.map((name) => join(folder, name)).find((each) => existsSync(each));
  const read = path === undefined ? undefined : readScript(path, now);
  return read === undefined ? [] : [[FOUND_BY_MAKE, { text: read.text, changed_at: read.changed_at }]];
}

function filesNamed(
  text: string,
  words: ReadonlySet<string>,
  folder: string,
  now: number,
): Record<string, Script> {
  const found: Record<string, Script> = {};
  const any = TAKES_ANY_FILE.test(text);
  for (const each of words) {
    // `patch -ix.diff`, `make -fx.mk`
    const word = any ? each.replace(/^-[if](?=.)/, '') : each;
    if (word.startsWith('-') || word.length > 1_000) continue;
    const read = readScript(resolve(folder, fromHome(word)), now);
    if (read === undefined) continue;
    const toShell = () => new RegExp(`sh(?:\\s+-\\w+)*\\s+['"]?${escaped(word)}`).test(text);
    const { executable, ...script } = read;
    const program = script.text.startsWith('#!') || (executable && word.includes('/'));
    if (any || program || SCRIPT_NAME.test(word) || toShell()) found[word] = script;
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
