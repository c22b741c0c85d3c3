/** What a command is, and what else it runs: a line that a shell is given, a command behind `sudo` or `xargs`. */
import { innerCommand } from './inner-command.ts';
import type { Word } from './split-line.ts';

export const SHELLS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'rbash', 'mksh', 'yash'],
]);
/** They run what they read, or change what a later name means. */
const UNCLEAR = new Set([
  ...['source', '.', 'trap', 'alias', 'mapfile', 'readarray', 'enable', 'bind', 'complete', 'compgen', 'fc'],
  // Shells of other languages.
  ...['csh', 'tcsh', 'nu', 'elvish', 'xonsh', 'powershell', 'pwsh', 'cmd'],
  // Their options tell what runs in ways of their own.
  ...['bwrap', 'setarch', 'nsjail', 'runcon'],
  // Editors that run what their input says.
  ...['ed', 'red', 'ex'],
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
/** Options whose value is a program, or what a program of its own does, by the program that takes them. */
const RUNNING: Readonly<Record<string, RegExp>> = {
  vim: /^(?:\+\D|-[cSsu]$|--cmd)/,
  emacs: /^(?:-[flL]$|-?-(?:eval|execute|load|funcall|script|batch))/,
  less: /^\+(?![FGg\d/])/,
  man: /^(?:-[PH]|--(?:pager|html))/,
  tar: /^(?:--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)|-[A-Za-z]*[IF])/,
  zip: /^(?:-TT|--unzip-command)/,
  rsync: /^(?:-[A-Za-z]*e|--rsh|--rsync-path)/,
  gdb: /^-?-(?:ex|eval-command|x|command|batch)/,
  lldb: /^(?:-[osSOK]|--(?:one-line|source))/,
  sort: /^--compress-program/,
  split: /^--filter/,
  rg: /^--pre(?:=|$)/,
  bat: /^--pager/,
  ag: /^--pager/,
  ack: /^--(?:pager|output)/,
  make: /^--eval/,
};
const SAME_AS: Readonly<Record<string, string>> = {
  vi: 'vim',
  nvim: 'vim',
  view: 'vim',
  vimdiff: 'vim',
  gtar: 'tar',
  bsdtar: 'tar',
  more: 'less',
  gsort: 'sort',
  gsplit: 'split',
  batcat: 'bat',
};
/** Ways to pack and to reach other machines that everybody uses. */
const USUAL = /^(?:ssh|zstd|pigz|pbzip2|xz|gzip|bzip2|lz4|zstdmt|unzstd)(?: -[\w-]+)*$/;
/** Of sed, which runs the line after `e` and what `s///e` makes. */
const SED_RUNS = /(?:^|[\s;{}!0-9$/,])e(?:\s|;|}|$)/;
const LONGEST_SCRIPT = 2_000;
const SED_SUBSTITUTES = /s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1([a-zA-Z0-9]*)/gs;

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
      runsByOption(program, argv) ||
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

function runsByOption(program: string, argv: readonly string[]): boolean {
  if (program === 'sed' || program === 'gsed') return argv.slice(1).some(sedRuns);
  const name = Object.hasOwn(SAME_AS, program) ? SAME_AS[program] : program;
  const options = name !== undefined && Object.hasOwn(RUNNING, name) ? RUNNING[name] : undefined;
  return argv.some((word, at) => {
    if (at === 0 || !options?.test(word)) return false;
    const value =
      word.startsWith('--') && word.includes('=') ? word.slice(word.indexOf('=') + 1) : argv[at + 1];
    return !USUAL.test(value ?? '');
  });
}

function sedRuns(word: string): boolean {
  if (word.length > LONGEST_SCRIPT) return true;
  let runs = false;
  const rest = word.replace(SED_SUBSTITUTES, (_all, _sign, flags: string) => {
    runs ||= flags.includes('e');
    return ' ';
  });
  return runs || SED_RUNS.test(rest.replace(/\/(?:\\.|[^\\/])*\//g, ' '));
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
