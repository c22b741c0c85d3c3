/** Scripts that a command runs and that the session itself wrote: what they say is judged as if it had typed it. */
import { SHELLS } from '../../../../kernel/shell/shell-command.ts';
import type { Word } from '../../../../kernel/shell/split-line.ts';
import { MAKEFILES, namedMakefiles, recipesRun } from '../makefiles.ts';
import type { Script } from '../paths.ts';
import { scriptName } from '../script-names.ts';
import { READERS } from './touched-paths.ts';

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Programs that run a file in a language of their own. */
const INTERPRETERS =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|ts-node|ruby[\d.]*|perl[\d.]*|php[\d.]*|lua[\d.]*|luajit)$/;
const MAKE = /^g?make$/;
const SHEBANG_OF_SHELL = /^#!.*\b(?:ba|z|da|k|a|fi)?sh\b/;
/** They leave what a file says as it is. */
const HARMLESS = new Set(['chmod', 'chown', 'git']);

export interface ScriptsRun {
  /** For a shell. */
  readonly lines: readonly string[];
  /** In another language. */
  readonly programs: readonly string[];
}

/** The texts of the scripts that a command runs. */
export function scriptsRun(
  program: string,
  words: readonly Word[],
  scripts: Readonly<Record<string, Script>> = {},
): ScriptsRun {
  const texts = (names: readonly string[]) =>
    names.flatMap((name) => (Object.hasOwn(scripts, name) ? [scripts[name]?.text ?? ''] : []));
  const argv = words.slice(1).map(({ text }) => text);
  const files = texts(runFiles(program, words).map(({ text }) => text));
  const shell = SHELLS.has(program) || program === 'source' || program === '.';
  const other = (text: string) => !shell && text.startsWith('#!') && !SHEBANG_OF_SHELL.test(text);
  const managed = PACKAGE_MANAGERS.has(program) ? texts(argv.map((word) => `npm:${scriptName(word)}`)) : [];
  const made = MAKE.test(program) ? recipesRun(argv, scripts) : [];
  return {
    lines: [...files.filter((text) => !other(text)), ...managed, ...made],
    programs: [...files.filter(other), ...texts(programFiles(program, argv))],
  };
}

/** Options that load one more program, and others that take a value. */
const LOADS = /^(?:-r|--(?:require|import|loader|experimental-loader|preload))$/;
const VALUED = /^(?:-[WXICd]|--(?:conditions|env-file|config|tsconfig))$/;
const NO_FILE = /^-(?:[cemp]|pe|-eval|-print)$/;

/** The files that an interpreter runs: `node x.js`, `deno run x.ts`, `python3 -W ignore x.py`. What follows is data. */
function programFiles(program: string, argv: readonly string[]): string[] {
  if (!INTERPRETERS.test(program)) return [];
  const before = (at: number) => argv[at - 1] ?? '';
  const loaded = argv.filter((_word, at) => LOADS.test(before(at)));
  if (argv.some((word) => NO_FILE.test(word))) return loaded;
  const named = argv.filter(
    (word, at) => !word.startsWith('-') && !LOADS.test(before(at)) && !VALUED.test(before(at)),
  );
  return [...loaded, ...named.slice(0, /^(?:run|test|watch)$/.test(named[0] ?? '') ? 2 : 1)];
}

/** Whether a command runs a file that the line itself may have written before. */
export function runsWritten(program: string, words: readonly Word[], written: ReadonlySet<string>): boolean {
  const wrote = ({ text }: Word) => written.has(plain(text));
  const argv = words.slice(1).map(({ text }) => text);
  if (MAKE.test(program)) {
    return [...MAKEFILES, ...namedMakefiles(argv)].some((name) => written.has(plain(name)));
  }
  if (PACKAGE_MANAGERS.has(program) && written.has('package.json')) return true;
  if (INTERPRETERS.test(program)) {
    return programFiles(program, argv).some((file) => written.has(plain(file)));
  }
  return runFiles(program, words).some(wrote);
}

/** The files that a command may write, by their names in the line. */
export function mayWrite(program: string, words: readonly Word[]): string[] {
  if (READERS.has(program) || HARMLESS.has(program) || SHELLS.has(program)) return [];
  const named = words.slice(1).map(({ text }) => plain(text));
  const scripts = PACKAGE_MANAGERS.has(program) && /^(?:pkg|set-script|init)$/.test(words[1]?.text ?? '');
  return scripts ? [...named, 'package.json'] : named;
}

export function plain(text: string): string {
  return text.replace(/^(?:\.\/)+/, '');
}

function runFiles(program: string, words: readonly Word[]): readonly Word[] {
  const [first] = words;
  if (SHELLS.has(program) || program === 'source' || program === '.') return words.slice(1);
  return first?.text.includes('/') ? [first] : [];
}
