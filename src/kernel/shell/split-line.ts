/**
 * Which commands a line of a POSIX-like shell runs, as far as that can be known without running it. What is not
 * understood is said, never guessed: `understood` is false as soon as one construct could run something that is not in
 * the list. Commands of all branches are listed, since nobody knows which one is taken.
 */

export interface Word {
  readonly text: string;
  /** False if the shell computes it: variables, globs, braces, `~`, substitutions. */
  readonly literal: boolean;
}

interface Redirect {
  readonly direction: 'in' | 'out';
  readonly target: Word;
}

export interface ShellCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Names of the variables that are set for it, or for what follows if it has no words. */
  readonly assigns: readonly string[];
  /** What the line itself writes on its standard input: a here-document or a here-string. */
  readonly input?: Input | undefined;
}

interface Input {
  readonly text: string;
  /** False if the shell computes parts of it. */
  readonly literal: boolean;
}

export interface SplitLine {
  readonly commands: readonly ShellCommand[];
  readonly understood: boolean;
}

const DEEPEST = 20;
/** A line of more is a program, and nobody judges that by its list of commands. */
const MOST_COMMANDS = 1_000;
/** Words that only frame commands; whatever follows stands where a command begins. */
const FRAMES = new Set(['if', 'then', 'else', 'elif', 'fi', 'while', 'until', 'do', 'done', '{', '}', '!']);
const NOT_UNDERSTOOD = new Set([
  ...['case', 'esac', 'function', '[[', 'coproc', 'repeat', 'foreach', 'end', 'always'],
]);

class NotUnderstood extends Error {}

interface Heredoc {
  readonly end: string;
  readonly tabs: boolean;
  readonly quoted: boolean;
  /** Written when its lines have been read, after the command itself. */
  readonly body: { text: string; literal: boolean };
}

export function splitLine(line: string): SplitLine {
  const commands: ShellCommand[] = [];
  try {
    new Scanner(line, commands, 0).list(undefined);
    return { commands, understood: true };
  } catch (error) {
    if (error instanceof NotUnderstood) return { commands, understood: false };
    throw error;
  }
}

interface ScannedWord extends Word {
  /** Nothing in it was quoted or escaped, so that it may be a keyword. */
  readonly bare: boolean;
  readonly assigns?: string | undefined;
}

function zshBlock(text: string, first: boolean): boolean {
  if (text === '{' || text === '}') return true;
  return (first && text.startsWith('{')) || (text.endsWith('}') && !text.includes('{'));
}

class Scanner {
  private at = 0;
  private nested = 0;
  private readonly heredocs: Heredoc[] = [];
  private readonly text: string;
  private readonly commands: ShellCommand[];
  private readonly depth: number;

  constructor(text: string, commands: ShellCommand[], depth: number) {
    if (depth > DEEPEST || text.includes('\0')) throw new NotUnderstood();
    this.text = text;
    this.commands = commands;
    this.depth = depth;
  }

  /** Commands up to the closing sign, or to the end of the text. */
  list(close: ')' | undefined): void {
    if (this.nested > DEEPEST) throw new NotUnderstood();
    for (;;) {
      this.blanks();
      const char = this.text[this.at];
      if (char === undefined) {
        if (close !== undefined || this.heredocs.length > 0) throw new NotUnderstood();
        return;
      }
      if (char === '\n') {
        this.at += 1;
        this.heredocBodies();
      } else if (char === ';' || char === '&' || char === '|') {
        // `;;` and friends belong to `case`; `&>` is a redirection and is seen to in `command`.
        if (char === ';' && this.text[this.at + 1] === ';') throw new NotUnderstood();
        if (char === '&' && this.text[this.at + 1] === '>') this.command();
        else this.at += 1;
      } else if (char === ')') {
        if (close === undefined || this.heredocs.length > 0) throw new NotUnderstood();
        this.at += 1;
        return;
      } else if (char === '(') {
        if (this.text[this.at + 1] === '(') throw new NotUnderstood();
        this.inner(1);
      } else {
        this.command();
      }
    }
  }

  /** What stands between an opening sign of this length and its closing one. */
  private inner(opening: number): void {
    this.at += opening;
    this.nested += 1;
    this.list(')');
    this.nested -= 1;
  }

  private command(): void {
    const words: ScannedWord[] = [];
    const redirects: Redirect[] = [];
    const assigns: string[] = [];
    let input: Input | undefined;
    let begun = false;
    let ambiguous = false;
    for (;;) {
      this.blanks();
      const both = this.text[this.at] === '&';
      const redirect = this.redirect();
      if (redirect !== undefined) {
        begun = true;
        ambiguous ||= both;
        if (redirect === 'none') continue;
        if ('direction' in redirect) redirects.push(redirect);
        else input = redirect;
        continue;
      }
      if (this.atEndOfCommand()) break;
      // A plain sh takes `a &> b c` for two commands.
      if (ambiguous) throw new NotUnderstood();
      const word = this.word();
      if (words.length === 0 && word.assigns !== undefined) {
        assigns.push(word.assigns);
        begun = true;
        continue;
      }
      if (word.bare && words.length === 0 && !begun) {
        if (NOT_UNDERSTOOD.has(word.text)) throw new NotUnderstood();
        if (FRAMES.has(word.text)) continue;
        if (word.text === 'for' || word.text === 'select') {
          this.loopHead();
          continue;
        }
      }
      // zsh takes a block where others see an argument, and needs no space around it.
      if (word.bare && zshBlock(word.text, words.length === 0)) throw new NotUnderstood();
      words.push(word);
    }
    if (words.length + redirects.length + assigns.length === 0) return;
    if (this.commands.length >= MOST_COMMANDS) throw new NotUnderstood();
    this.commands.push({
      words: words.map(({ text, literal }) => ({ text, literal })),
      redirects,
      assigns,
      ...(input && { input }),
    });
  }

  /** `for NAME in words`: the words are data; `do` stands where a command begins. */
  private loopHead(): void {
    this.blanks();
    const name = this.word();
    if (!name.bare || !/^[A-Za-z_]\w*$/.test(name.text)) throw new NotUnderstood();
    this.blanks();
    if (this.atEndOfCommand()) return;
    const next = this.word();
    if (next.bare && next.text === 'do') return;
    if (!next.bare || next.text !== 'in') throw new NotUnderstood();
    for (;;) {
      this.blanks();
      const char = this.text[this.at];
      if (char === undefined || char === ';' || char === '\n') return;
      if (this.atEndOfCommand() || char === '<' || char === '>') throw new NotUnderstood();
      this.word();
    }
  }

  private atEndOfCommand(): boolean {
    const char = this.text[this.at];
    if (char === '&' && this.text[this.at + 1] === '>') return false;
    if (char === '(') throw new NotUnderstood();
    return char === undefined || '\n;&|)'.includes(char);
  }

  /** Also skips remarks and joined lines. */
  private blanks(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === ' ' || char === '\t') this.at += 1;
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
      else if (char === '#') {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      } else return;
    }
  }

  private redirect(): Redirect | Input | 'none' | undefined {
    const matched = /^(?:\d*|&)(?=[<>])/.exec(this.text.slice(this.at, this.at + 12));
    if (!matched) return undefined;
    const both = matched[0] === '&';
    const from = this.at + matched[0].length;
    const sign = /^(?:<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)/.exec(this.text.slice(from, from + 3))?.[0] ?? '';
    if (both && !sign.startsWith('>')) return undefined;
    if ((sign === '<' || sign === '>') && this.text[from + 1] === '(') {
      // A process substitution is a word.
      return undefined;
    }
    this.at = from + sign.length;
    this.blanks();
    const standard = matched[0] === '' || matched[0] === '0';
    if (sign === '<<' || sign === '<<-') {
      const delimiter = this.delimiter();
      const body = { text: '', literal: delimiter.quoted };
      this.heredocs.push({ ...delimiter, tabs: sign === '<<-', body });
      return standard ? body : 'none';
    }
    if (this.text[this.at] === undefined || '\n;|&<>()'.includes(this.text[this.at] as string)) {
      if (!/^[<>]\(/.test(this.text.slice(this.at))) throw new NotUnderstood();
    }
    const target = this.word();
    if (sign === '<<<') return standard ? { text: target.text, literal: target.literal } : 'none';
    if (sign === '<&' || sign === '>&') {
      if (target.literal && /^(?:\d+-?|-)$/.test(target.text)) return 'none';
      if (sign === '<&') throw new NotUnderstood();
    }
    return { direction: sign === '<' ? 'in' : 'out', target: { text: target.text, literal: target.literal } };
  }

  private delimiter(): { readonly end: string; readonly quoted: boolean } {
    const from = this.at;
    const word = this.word();
    const raw = this.text.slice(from, this.at);
    if (!word.literal || /[$`\n]/.test(raw) || word.text === '') throw new NotUnderstood();
    return { end: word.text, quoted: raw !== word.text };
  }

  private heredocBodies(): void {
    for (const { end, tabs, quoted, body } of this.heredocs.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.at >= this.text.length) throw new NotUnderstood();
        const newline = this.text.indexOf('\n', this.at);
        const stop = newline < 0 ? this.text.length : newline;
        const line = this.text.slice(this.at, stop);
        this.at = stop + (newline < 0 ? 0 : 1);
        if ((tabs ? line.replace(/^\t+/, '') : line) === end) {
          // What follows on the next line begins a command again.
          body.text = lines.map((each) => `${each}\n`).join('');
          body.literal ||= !/[$\\]/.test(body.text);
          break;
        }
        lines.push(tabs ? line.replace(/^\t+/, '') : line);
        // A backslash may join lines, so that the end is elsewhere.
        if (!quoted && (/`|\$[({[]|\\$/.test(line) || line.includes('$(('))) throw new NotUnderstood();
        if (newline < 0) throw new NotUnderstood();
      }
    }
  }

  private word(): ScannedWord {
    let text = '';
    let literal = true;
    let bare = true;
    let assigns: string | undefined;
    const from = this.at;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined || ' \t\n;&|)'.includes(char)) break;
      if (char === '(') throw new NotUnderstood();
      if (char === '<' || char === '>') {
        if (this.text[this.at + 1] === '(' && this.at === from) {
          this.inner(2);
          literal = false;
          bare = false;
          text += '…';
          continue;
        }
        if (this.text[this.at + 1] === '(' || /^\{\w*\}$/.test(text)) throw new NotUnderstood();
        break;
      }
      if (char === "'") {
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) throw new NotUnderstood();
        text += this.text.slice(this.at + 1, end);
        this.at = end + 1;
        bare = false;
      } else if (char === '"') {
        const inner = this.doubleQuoted();
        text += inner.text;
        literal &&= inner.literal;
        bare = false;
      } else if (char === '\\') {
        const next = this.text[this.at + 1];
        if (next === undefined) throw new NotUnderstood();
        this.at += 2;
        if (next !== '\n') text += next;
        bare = false;
      } else if (char === '$' || char === '`') {
        const expanded = this.expansion(false);
        text += expanded.text;
        literal &&= expanded.literal;
        bare = false;
      } else {
        if ('*?'.includes(char) || (char === '[' && this.isClass()) || (char === '{' && this.expandsBraces()))
          literal = false;
        // `=name` is a path in zsh.
        if ((char === '~' || char === '=') && this.at === from) literal = false;
        // bash takes `name=~` for a path as an argument, too.
        if (char === '~' && /^[A-Za-z_]\w*\+?=(?:.*:)?$/s.test(this.text.slice(from, this.at)))
          literal = false;
        if (char === '=' && assigns === undefined && bare && /^[A-Za-z_]\w*\+?$/.test(text)) {
          assigns = text.replace('+', '');
        }
        // A subscript is computed, quoted or not.
        if (char === '=' && /^[A-Za-z_]\w*\[/.test(this.text.slice(from, this.at))) throw new NotUnderstood();
        text += char;
        this.at += 1;
      }
    }
    if (this.at === from) throw new NotUnderstood();
    return { text, literal, bare, assigns };
  }

  /** `[a-z]`; the program `[` is a word of its own. */
  private isClass(): boolean {
    return !/^\[(?:[\s;&|]|$)/.test(this.text.slice(this.at, this.at + 2));
  }

  /** `{a,b}` or `{1..3}`; a lone `{}` or `{name}` stays as it is. */
  private expandsBraces(): boolean {
    return /^\{[^\s}]*(?:,|\.\.)/.test(this.text.slice(this.at, this.at + 4096));
  }

  private doubleQuoted(): Word {
    let text = '';
    let literal = true;
    this.at += 1;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) throw new NotUnderstood();
      if (char === '"') {
        this.at += 1;
        return { text, literal };
      }
      if (char === '\\') {
        const next = this.text[this.at + 1];
        if (next === undefined) throw new NotUnderstood();
        if (next === '\n') text += '';
        else text += '$`"\\'.includes(next) ? next : `\\${next}`;
        this.at += 2;
      } else if (char === '$' || char === '`') {
        const expanded = this.expansion(true);
        text += expanded.text;
        literal &&= expanded.literal;
      } else {
        // History is expanded by interactive shells only.
        text += char;
        this.at += 1;
      }
    }
  }

  private expansion(quoted: boolean): Word {
    const rest = this.text.slice(this.at, this.at + 300);
    if (rest.startsWith('`')) {
      const end = this.text.indexOf('`', this.at + 1);
      const inner = end < 0 ? '\\' : this.text.slice(this.at + 1, end);
      if (inner.includes('\\')) throw new NotUnderstood();
      new Scanner(inner, this.commands, this.depth + 1).list(undefined);
      this.at = end + 1;
      return { text: '…', literal: false };
    }
    const name = /^\$(?:[A-Za-z_]\w*|[0-9?$!#@*-]|\{[A-Za-z_]\w*\})/.exec(rest)?.[0];
    if (name !== undefined) {
      this.at += name.length;
      // zsh takes a subscript after a bare name, and computes it.
      if (this.text[this.at] === '[') throw new NotUnderstood();
      return { text: name, literal: false };
    }
    const sum = /^\$\(\([0-9\s+*/%()<>=&|!~^?:-]*\)\)/.exec(rest)?.[0];
    if (sum !== undefined) {
      this.at += sum.length;
      return { text: sum, literal: false };
    }
    if (rest.startsWith('$((')) throw new NotUnderstood();
    if (rest.startsWith('$(')) {
      // Shells differ in where a here-document goes on that was begun before.
      if (this.heredocs.length > 0) throw new NotUnderstood();
      this.inner(2);
      return { text: '…', literal: false };
    }
    // `$'…'`, `$"…"`, `$[…]`, `${…}` with anything but a name.
    if (/^\$['"[{]/.test(rest) && !(quoted && /^\$["']/.test(rest))) throw new NotUnderstood();
    // What it names is on the next line.
    if (rest.startsWith('$\\\n')) throw new NotUnderstood();
    this.at += 1;
    return { text: '$', literal: true };
  }
}
