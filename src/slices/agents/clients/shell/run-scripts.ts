/** Scripts that a command runs and that the session itself wrote: what they say is judged as if it had typed it. */
import { SHELLS } from '../../../../kernel/shell/shell-command.ts';
import type { Word } from '../../../../kernel/shell/split-line.ts';
import type { Script } from '../paths.ts';
import { scriptName } from '../script-names.ts';
import { READERS } from './touched-paths.ts';

const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** They leave what a file says as it is. */
const HARMLESS = new Set(['chmod', 'chown', 'git']);

/** The texts of the scripts that a command runs. */
export function scriptsRun(
  program: string,
  words: readonly Word[],
  scripts: Readonly<Record<string, Script>> = {},
): string[] {
  const named = PACKAGE_MANAGERS.has(program)
    ? words.slice(1).map(({ text }) => `npm:${scriptName(text)}`)
    : runFiles(program, words).map(({ text }) => text);
  return named.flatMap((name) => (Object.hasOwn(scripts, name) ? [scripts[name]?.text ?? ''] : []));
}

/** Whether a command runs a file that the line itself may have written before. */
export function runsWritten(program: string, words: readonly Word[], written: ReadonlySet<string>): boolean {
  if (PACKAGE_MANAGERS.has(program)) return written.has('package.json');
  return runFiles(program, words).some(({ text }) => written.has(plain(text)));
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
