/** What a command is, and what else it runs: a line that a shell is given, a command behind `sudo` or `xargs`. */
import { innerCommand } from './inner-command.ts';
import type { Word } from './split-line.ts';

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish']);
/** They run what they read, or change what a later name means. */
const UNCLEAR = new Set([
  ...['source', '.', 'trap', 'alias', 'mapfile', 'readarray', 'enable', 'bind', 'complete', 'compgen', 'fc'],
  // They start programs elsewhere or later, which nobody sees here.
  ...['tmux', 'screen', 'script', 'expect', 'parallel', 'entr', 'at', 'batch', 'crontab', 'su', 'runuser'],
  ...['shopt', 'setopt', 'unsetopt', 'emulate', 'zmodload', 'autoload', 'functions', 'hash', 'sched', 'zle'],
]);
/** Without a file they read commands from whoever types next, which no hook sees. */
const INTERPRETERS =
  /^(?:python[\d.]*|node|deno|bun|ruby|irb|perl|lua|php|psql|mysql|sqlite3|mongosh?|redis-cli|ssh|telnet|nc|ncat|gdb|ftp)$/;
/** Builtins that compute subscripts in their arguments, and so may run what stands in them. */
const COMPUTING = new Set([
  ...[
    'let',
    'declare',
    'typeset',
    'local',
    'export',
    'readonly',
    'unset',
    'read',
    'printf',
    'test',
    '[',
    'wait',
  ],
  ...['getopts', 'integer', 'float'],
]);
/** Variables that make a program run another. */
const STEERING =
  /^(?:PATH|ENV|BASH_ENV|LD_.*|DYLD_.*|GIT_.*|PS4|IFS|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|NODE_OPTIONS|PERL5.*|RUBYOPT|PYTHON.*|EDITOR|VISUAL|PAGER|ZDOTDIR|BASH_FUNC.*)$/;

export interface ReadCommand {
  /** Without its folder and the endings of Windows. */
  readonly program: string;
  /** It may run or change something that is not seen here. */
  readonly unclear: boolean;
  /** It runs a line that is only known when it runs. */
  readonly computes: boolean;
  /** It is there to run another program, as `sudo` is. */
  readonly wraps: boolean;
  /** Lines that it hands to a shell. */
  readonly lines: readonly string[];
  readonly commands: readonly (readonly Word[])[];
}

/** `words` begin with a literal one. */
export function readShellCommand(words: readonly Word[]): ReadCommand {
  const argv = words.map(({ text }) => text);
  const program = programName(argv[0] ?? '');
  const shell = SHELLS.has(program) ? shellLine(words) : undefined;
  const inner = innerCommand(program, argv);
  const evaluated = program === 'eval' && words.every(({ literal }) => literal);
  return {
    program,
    unclear:
      UNCLEAR.has(program) ||
      (INTERPRETERS.test(program) &&
        argv.slice(1).every((word) => word.startsWith('-') && !/^-[ecpm]|^--/.test(word))) ||
      (COMPUTING.has(program) && argv.some((word) => /\$\(|`|\[.*[$`]/.test(word))) ||
      (program === 'export' && argv.some((word) => steersPrograms(word.split('=')[0] as string))) ||
      shell === 'unknown' ||
      shell === 'input' ||
      inner?.unclear === true,
    computes: program === 'eval' && !evaluated,
    wraps: inner !== undefined,
    lines: [
      ...(typeof shell === 'object' ? [shell.line] : []),
      ...(evaluated ? [argv.slice(1).join(' ')] : []),
      ...(program === 'watch' ? watchedLine(words) : []),
    ],
    commands: [
      ...(inner?.from === undefined
        ? []
        : [[...words.slice(inner.from), ...(inner.adds ? [{ text: '…', literal: false }] : [])]]),
      ...(program === 'find' || program === 'fd' ? foundCommands(words) : []),
    ],
  };
}

/** Whether a variable of this name makes a program run another. */
export function steersPrograms(name: string): boolean {
  return STEERING.test(name);
}

/** What a shell is told to run: a line, a file, or what it reads from its input. */
function shellLine(words: readonly Word[]): { readonly line: string } | 'file' | 'input' | 'unknown' {
  for (let at = 1; at < words.length; at++) {
    const { text, literal } = words[at] as Word;
    if (!literal) return 'unknown';
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(text)) {
      const line = words[at + 1];
      // An option between would take the next word for itself.
      const plain = line?.literal && !/^[-+]/.test(line.text) && !/[oO]/.test(text);
      return plain ? { line: line.text } : 'unknown';
    }
    if (/^(?:-[oO]|--rcfile|--init-file)$/.test(text)) at += 1;
    else if (!text.startsWith('-') && !text.startsWith('+')) return 'file';
    else if (/^-[A-Za-z]*s/.test(text)) return 'input';
  }
  return 'input';
}

function watchedLine(words: readonly Word[]): string[] {
  const at = words.findIndex(
    ({ text }, index) => index > 0 && !text.startsWith('-') && !/^-[dn]$/.test(words[index - 1]?.text ?? ''),
  );
  return at > 0 ? [textOf(words.slice(at))] : [];
}

function foundCommands(words: readonly Word[]): (readonly Word[])[] {
  return words.flatMap(({ text }, at) => {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) return [];
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    const inner = end < 0 ? rest : rest.slice(0, end);
    if (inner.length === 0) return [];
    return [inner.map((word) => (word.text.includes('{}') ? { ...word, literal: false } : word))];
  });
}

export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
}

export function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}
