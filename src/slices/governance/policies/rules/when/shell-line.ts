/** The commands that a line runs, and the patterns that rules write for them. */
import { globMatcher } from '../../../../../kernel/glob.ts';
import { readShellCommand } from '../../../../../kernel/shell/shell-command.ts';
import { splitLine, type Word } from '../../../../../kernel/shell/split-line.ts';
import type { Outcome } from './outcome.ts';

export interface RunCommands {
  /** Of every branch and every substitution, and what wrappers and inner shells run. */
  readonly commands: readonly (readonly Word[])[];
  /** Nothing else can run, no variable is set and no file is written by the line itself. */
  readonly plain: boolean;
}

const LONGEST = 65_536;
const MOST_COMMANDS = 500;
const DEEPEST = 8;

/** A line for a shell, or a program with its arguments, which no shell reads. Undefined for anything else. */
export function commandsOf(value: unknown): RunCommands | undefined {
  const reader = new LineReader();
  if (typeof value === 'string') reader.line(value, 0);
  else if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    reader.words(
      value.map((text) => ({ text, literal: true })),
      0,
    );
  else return undefined;
  return reader;
}

class LineReader implements RunCommands {
  readonly commands: (readonly Word[])[] = [];
  plain = true;

  line(line: string, depth: number): void {
    if (line.length > LONGEST || depth > DEEPEST) {
      this.plain = false;
      return;
    }
    const { commands, understood } = splitLine(line);
    if (!understood) this.plain = false;
    for (const { words, redirects, assigns } of commands) {
      // What a variable or a file changes for others is not among the words.
      if (
        assigns.length > 0 ||
        redirects.some(({ direction, target }) => direction === 'out' && !isSink(target))
      )
        this.plain = false;
      if (words.length > 0) this.words(words, depth);
    }
  }

  words(words: readonly Word[], depth: number): void {
    const [first] = words;
    if (depth > DEEPEST || this.commands.length >= MOST_COMMANDS || !first?.literal || first.text === '') {
      this.plain = false;
      return;
    }
    this.commands.push(words);
    const { unclear, computes, lines, commands } = readShellCommand(words);
    if (unclear || computes || runsInAnotherCase(words)) this.plain = false;
    for (const line of lines) this.line(line, depth + 1);
    for (const inner of commands) this.words(inner, depth + 1);
  }
}

/** `SUDO rm x` runs `rm` where a file system minds no case. */
function runsInAnotherCase([first, ...rest]: readonly Word[]): boolean {
  const named = first?.text.toLowerCase();
  if (first === undefined || named === undefined || named === first.text) return false;
  const { unclear, wraps, lines, commands } = readShellCommand([{ ...first, text: named }, ...rest]);
  return unclear || wraps || lines.length > 0 || commands.length > 0;
}

function isSink({ text }: Word): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty)$/.test(text);
}

export type CommandPattern = (words: readonly Word[]) => Outcome;

/**
 * `git push **`: one glob for each word, `**` for any number of them. The program may be given by another path, or in another
 * case, which some file systems do not mind: it then may be another program. So may a word that the shell computes be
 * anything.
 */
export function commandPattern(text: string, ignoreCase: boolean): CommandPattern | string {
  const fold = (word: string) => (ignoreCase ? word.toLowerCase() : word);
  const parts = fold(text)
    .split(/\s+/)
    .filter((part) => part !== '');
  if (parts.length === 0 || parts[0] === '**') return 'needs the name of a program first';
  const matchers = parts.map((part) => (part === '**' ? undefined : globMatcher(part)));
  const [program] = matchers as [(text: string) => boolean];
  const mayBeProgram = globMatcher((parts[0] as string).toLowerCase());
  return (words) => {
    const [first] = words;
    if (!first) return false;
    const named = fold(first.text);
    const certain = program(named);
    if (!certain && ![first.text, baseName(first.text)].some((name) => mayBeProgram(name.toLowerCase())))
      return false;
    const rest = words.slice(1).map((word) => ({ ...word, text: fold(word.text) }));
    const fits = fitsWords(matchers.slice(1), rest);
    return certain || fits === false ? fits : 'unclear';
  };
}

function baseName(program: string): string {
  return program
    .slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat)$/i, '');
}

type Part = ((text: string) => boolean) | undefined;

/** True where it fits whatever the shell computes, unclear where it may. */
function fitsWords(parts: readonly Part[], words: readonly Word[]): Outcome {
  if (reaches(parts, words, false)) return true;
  return words.some(({ literal }) => !literal) && reaches(parts, words, true) ? 'unclear' : false;
}

/** `open`: a computed word may be any number of any words; else only `**` is known to take it. */
function reaches(parts: readonly Part[], words: readonly Word[], open: boolean): boolean {
  // By part and word: whether the first so many parts can have taken the first so many words.
  let row = [true];
  for (const [at, { literal }] of words.entries()) row.push(row[at] === true && open && !literal);
  for (const part of parts) {
    const next: boolean[] = [part === undefined && row[0] === true];
    for (const [at, { text, literal }] of words.entries()) {
      const computed = open && !literal;
      next.push(
        part === undefined
          ? row[at + 1] === true || next[at] === true
          : (literal && part(text) && row[at] === true) ||
              (computed && (row[at] || row[at + 1] || next[at]) === true),
      );
    }
    row = next;
  }
  return row.at(-1) === true;
}
