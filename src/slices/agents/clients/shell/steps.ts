/** From a command line to the steps that rules judge. */
import {
  programName,
  readShellCommand,
  steersPrograms,
  textOf,
} from '../../../../kernel/shell/shell-command.ts';
import { type ShellCommand, splitLine, type Word } from '../../../../kernel/shell/split-line.ts';
import type { Place, PlacedPath } from '../paths.ts';
import { nowhere, placePath } from '../paths.ts';
import { REMOVED } from '../private-words.ts';
import type { Step } from '../steps.ts';
import { gitWords } from './git-words.ts';
import { namesMeant } from './guarded-names.ts';
import { inlineCode } from './inline-code.ts';
import { type Fed, patchedBy } from './patches.ts';
import { programText } from './program-text.ts';
import { mayWrite, plain, runsWritten, scriptsRun } from './run-scripts.ts';
import { flagsOf, subcommandAt } from './subcommands.ts';
import { isPath, READERS, type TouchedPath, touchedPaths } from './touched-paths.ts';
import { unpackedInto } from './unpacking.ts';

const MOST_STEPS = 200;
const MOST_TEXT = 8_000;
/** No system takes a longer word, so no longer line reaches a shell as one; and reading takes its time. */
const LONGEST_READ = 131_072;
const MOST_WORDS = 200;
const DEEPEST = 8;
const MOST_BASES = 32;
interface Reading {
  readonly line: string;
  readonly tool: string;
  readonly place: Place;
  readonly steps: Step[];
  /** Folders that a relative path may be relative to: `cd` in a branch may or may not have happened. */
  readonly bases: string[];
  /** Names of files that earlier commands of the line may have written. */
  readonly written: Set<string>;
  depth: number;
}

function newReading(line: string, tool: string, place: Place): Reading {
  return { line, tool, place, steps: [], bases: [place.cwd], written: new Set(), depth: 0 };
}

/** A line for a shell. */
export function lineSteps(line: string, tool: string, place: Place): Step[] {
  const reading = newReading(cut(line), tool, place);
  // What is cut off could do anything.
  if (line.length > MOST_TEXT) opaque(reading, line);
  if (line.length <= LONGEST_READ) readLine(reading, line);
  return bounded(reading);
}

/** A program and its arguments, which no shell reads. */
export function argvSteps(argv: readonly string[], tool: string, place: Place): Step[] {
  const line = argv.join(' ');
  const reading = newReading(cut(line), tool, place);
  if (line.length > MOST_TEXT) opaque(reading, line);
  const words = argv.map((text) => ({ text, literal: true }));
  if (line.length <= LONGEST_READ) readWords(reading, words);
  return bounded(reading);
}

function bounded(reading: Reading): Step[] {
  if (reading.steps.length <= MOST_STEPS) return reading.steps;
  const kept = { ...reading, steps: reading.steps.slice(0, MOST_STEPS) };
  opaque(kept, reading.line);
  return kept.steps;
}

function readLine(reading: Reading, line: string): void {
  if (reading.depth >= DEEPEST) {
    opaque(reading, line);
    return;
  }
  reading.depth += 1;
  const { commands, understood } = splitLine(line);
  // So could what was removed.
  if (!understood || line.includes(REMOVED)) opaque(reading, line);
  for (const command of commands) {
    if (reading.steps.length > MOST_STEPS) break;
    readCommand(reading, command);
  }
  reading.depth -= 1;
}

function readCommand(reading: Reading, command: ShellCommand): void {
  const { words, redirects, assigns } = command;
  if (assigns.some(steersPrograms)) opaque(reading, textOf(words) || assigns.join(' '));
  if (words.length > 0) readWords(reading, words, command);
  for (const { direction, target } of redirects) {
    if (/^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(target.text)) continue;
    pathStep(reading, { action: direction === 'in' ? 'file.read' : 'file.write', word: target });
    if (direction === 'out') reading.written.add(plain(target.text));
  }
}

function readWords(reading: Reading, words: readonly Word[], fed: Fed = { redirects: [] }): void {
  const [first] = words;
  const argv = words.map(({ text }) => text);
  if (!first?.literal || first.text === '') {
    opaque(reading, textOf(words));
    return;
  }
  const command = readShellCommand(words);
  const { program } = command;
  const subcommand = subcommandAt(program, argv);
  const computed = subcommand >= 0 && words.slice(1, subcommand + 1).some(({ literal }) => !literal);
  const git = program === 'git' ? gitWords(words, subcommand) : undefined;
  const code = inlineCode(program, words);
  const subcommandName = subcommand >= 0 ? (argv[subcommand] ?? '') : '';
  commandStep(reading, words, {
    program,
    subcommand: subcommandName,
    opaque: command.unclear || computed || git?.unclear === true || code?.hidden === true,
  });
  if (reading.depth >= DEEPEST) return;
  reading.depth += 1;
  for (const line of command.lines) readLine(reading, line);
  const scripts = scriptsRun(program, words, reading.place.scripts);
  for (const script of scripts.lines) readLine(reading, script);
  for (const script of scripts.programs) readProgram(reading, script, program);
  if (runsWritten(program, words, reading.written)) opaque(reading, textOf(words));
  const patch = patchedBy(program, subcommandName, words, { ...fed, ...reading });
  for (const name of mayWrite(program, words)) reading.written.add(name);
  if (command.computes) opaque(reading, textOf(words));
  for (const inner of command.commands) readWords(reading, inner, fed);
  for (const line of git?.lines ?? []) {
    if (line.literal) readLine(reading, line.text);
    else opaque(reading, line.text);
  }
  if (!command.wraps && git === undefined && !READERS.has(program)) readOurOwn(reading, words);
  reading.depth -= 1;
  if (program === 'cd' || program === 'pushd') moveTo(reading, words[1]);
  if (patch?.unclear) opaque(reading, textOf(words));
  for (const path of patch?.paths ?? []) pathStep(reading, path);
  if (unpacksOver(reading, program, words)) opaque(reading, textOf(words));
  const touched = touchedPaths(program, code?.others ?? words, code !== undefined);
  for (const path of touched.paths) pathStep(reading, path);
  // Whatever is not looked at could be anything.
  if (touched.more || words.length > MOST_WORDS) opaque(reading, textOf(words));
  for (const word of git?.replaces ?? []) pathStep(reading, { action: 'file.read', word, unsure: true });
  for (const word of code?.literals.filter(({ text }) => isPath(text)) ?? [])
    pathStep(reading, { action: 'file.read', word, unsure: true });
  // Where file systems mind no case, `GIT` is `git` to the system and another name to a rule.
  const named = first.text.toLowerCase();
  if (named !== first.text && reading.place.platform !== 'linux')
    readWords(reading, [{ ...first, text: named }, ...words.slice(1)]);
}

/** A program in another language that the session wrote: the commands and the guarded files that it spells out. */
function readProgram(reading: Reading, text: string, by: string): void {
  const { paths, commands, lines, more } = programText(text, by);
  const guarded = paths.some((word) =>
    placesOf(reading, word.text, reading.place.cwd).some(({ zone }) => GUARDED.includes(zone)),
  );
  // To name such a file is not to change it.
  if (more || guarded || text.includes(REMOVED)) opaque(reading, reading.line);
  for (const word of paths) pathStep(reading, { action: 'file.read', word, perhaps: true });
  for (const words of commands) if (reading.steps.length <= MOST_STEPS) readWords(reading, words);
  for (const line of lines) if (reading.steps.length <= MOST_STEPS) readLine(reading, line);
}

/** An archive, or all that is in a folder, goes over one that holds what rules guard: it may bring anything. */
function unpacksOver({ place, bases }: Reading, program: string, words: readonly Word[]): boolean {
  const { real: _links, ...plainPlace } = place;
  return unpackedInto(program, words).some((folder) => {
    const start = knownStart(folder, place);
    if (start === undefined) return true;
    return bases.some((base) => placePath(start, plainPlace, base, true).zone === 'rules');
  });
}

/** Commands of Baton's that change something: its name alone may stand for a folder. */
const OUR_VERBS =
  /^(?:approvals|atlas|backup|connect|deposit|disconnect|gateway|guard|hook|hooks|import|inbox|init|journal|keys|login|mcp|memory|open|packages|passphrase|people|projects|run|sync|up)$/;

/** Baton itself, started by its file or by a program that we do not know: a word, or a line that is one. */
function readOurOwn(reading: Reading, words: readonly Word[]): void {
  for (const [at, word] of words.entries()) {
    if (at === 0 || !word.literal) continue;
    if (
      /^baton(?:-ledger)?(?:\.[cm]?js)?$/.test(programName(word.text)) &&
      OUR_VERBS.test(words[at + 1]?.text ?? '')
    ) {
      readWords(reading, [{ text: 'baton', literal: true }, ...words.slice(at + 1)]);
      return;
    }
    if (/(?:^|[\s;&|/])baton(?:-ledger)?\s/.test(word.text)) readLine(reading, word.text);
  }
}

function moveTo(reading: Reading, word: Word | undefined): void {
  const { place, bases } = reading;
  const target = word === undefined ? { text: '~', literal: false } : word;
  const computed = !target.literal && COMPUTED.test(withVariables(target.text));
  const start = knownStart(target, place);
  // Nobody knows where `cd "$X"` leads: nowhere inside, then.
  const folders =
    start === undefined || computed
      ? ['/']
      : bases.flatMap((base) => placesOf(reading, start, base).map((each) => fullPath(place, each)));
  bases.push(...new Set(folders.filter((folder) => !bases.includes(folder))));
  if (bases.length <= MOST_BASES) return;
  bases.length = MOST_BASES;
  opaque(reading, reading.line);
}

function fullPath({ root }: Place, { path, inside }: PlacedPath): string {
  return inside ? `${root}/${path}` : path;
}

/** Where a path leads as it is written, and where a link on it leads. */
function placesOf({ place }: Reading, text: string, base: string, replaces = false): PlacedPath[] {
  const { real, ...plain } = place;
  const written = placePath(text, plain, base, replaces);
  const known =
    real && Object.hasOwn(real, text) ? placePath(real[text] as string, plain, base, replaces) : undefined;
  return known && known.path !== written.path ? [written, known] : [written];
}

const GUARDED: readonly string[] = ['rules', 'settings'];
const UNGUARDED: readonly string[] = ['repository', 'temporary', 'outside'];

function pathStep(reading: Reading, { action, word, unsure, perhaps }: TouchedPath): void {
  const seen = new Set<string>();
  const start = knownStart(word, reading.place);
  const replaces = action === 'file.delete';
  const places =
    start === undefined
      ? [nowhere(cut(word.text))]
      : [start, ...(word.literal ? [] : namesMeant(word.text, start))].flatMap((path) =>
          reading.bases.flatMap((base) => placesOf(reading, path, base, replaces)),
        );
  for (const placed of places) {
    if (seen.has(placed.path) || (perhaps && UNGUARDED.includes(placed.zone))) continue;
    seen.add(placed.path);
    const written = unsure && GUARDED.includes(placed.zone) ? 'file.write' : action;
    reading.steps.push({ action: written, parameters: { ...placed, by: 'shell', tool: reading.tool } });
  }
}

/** `src/*.ts` is somewhere in `src`; a path that begins with something computed could be anywhere: undefined. */
function knownStart({ text, literal }: Word, { home }: Pick<Place, 'home'>): string | undefined {
  if (literal) return text;
  const [, user, below = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
  // The home of somebody else, or a folder that the shell remembers.
  if (user !== undefined && user !== '' && user !== programName(home)) return undefined;
  const path = user === undefined ? withVariables(text) : `~${below}`;
  const computed = path.search(COMPUTED);
  if (computed < 0) return path;
  const start = path.slice(0, computed);
  if (/[$…]/.test(path[computed] as string) && !start.includes('/')) return undefined;
  return start.slice(0, start.lastIndexOf('/') + 1) || '.';
}

const COMPUTED = /[$…*?[{]/;

function withVariables(text: string): string {
  return text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, '~').replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, '.');
}

function commandStep(
  reading: Reading,
  words: readonly Word[],
  known: { readonly program: string; readonly subcommand: string; readonly opaque: boolean },
): void {
  const argv = words.slice(0, MOST_WORDS).map(({ text }) => cut(text));
  reading.steps.push({
    action: 'shell.run',
    parameters: {
      line: reading.line,
      command: cut(textOf(words)),
      program: known.program,
      subcommand: known.subcommand,
      flags: flagsOf(argv),
      argv,
      opaque: known.opaque,
      expands: words.some(({ literal }) => !literal),
      tool: reading.tool,
    },
  });
}

function opaque(reading: Reading, text: string): void {
  reading.steps.push({
    action: 'shell.run',
    parameters: {
      line: reading.line,
      command: cut(text),
      program: '',
      subcommand: '',
      flags: [],
      argv: [],
      opaque: true,
      expands: true,
      tool: reading.tool,
    },
  });
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : text.slice(0, MOST_TEXT);
}
