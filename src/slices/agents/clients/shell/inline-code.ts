/**
 * Programs in another language that a command line carries in itself: `python3 -c "…"`. They are not understood, only
 * looked through: whether they start other programs or compute what they run, and which paths they name.
 */
import type { Word } from '../../../../kernel/shell/split-line.ts';

/** The options after which the code stands. */
const OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^python[\d.]*$|^pypy3?$/, /^-[A-Za-z]*c$/],
  [/^(?:node|nodejs|bun|tsx)$/, /^(?:-[ep]|-pe|--eval|--print)$/],
  [/^(?:perl[\d.]*|ruby[\d.]*)$/, /^-[A-Za-z0-9]*[eE]$/],
  [/^(?:lua[\d.]*|luajit|Rscript|osascript|elixir|julia|groovy)$/, /^(?:-e|--eval)$/],
  [/^php[\d.]*$/, /^(?:-r|--run)$/],
  [/^deno$/, /^eval$/],
];

/** They start programs, delete, look for the person's own folder, or make code from what nobody can read here. */
const RUNS =
  /\b(?:system|popen\w*|subprocess|child_process|spawn\w*|exec[lv]\w*|execSync|execFile\w*|fork|pty|shell_exec|passthru|proc_open|Open3|Deno\.Command|Bun\.\$|b64decode|fromhex|unhexlify|atob|fromCharCode|eval|Function|__import__|importlib|ctypes|getattr|runpy|unpack|compile|rmtree|rmSync|unlink\w*|rmdir\w*|remove_?dirs|homedir|expanduser)\b|\b(?:os\.remove|fs(?:\.promises)?\.rm|Path\.home|Deno\.remove)\b|(?<![.\w])(?:exec|qx|open\s*\(?\s*["']\s*\|)\s*[({"'|]|do shell script/;
const AWK_RUNS = /\bsystem\s*\(|\|\s*(?:getline|&|")|"\s*\|/;
const BACKTICKS = /`/;
const OUR_OWN = /\bbaton\b/i;
const MOST_LITERALS = 200;

export interface InlineCode {
  /** True if nobody can tell from the text what it runs. */
  readonly hidden: boolean;
  /** What stands in it between quotes. */
  readonly literals: readonly Word[];
  /** The command without the code. */
  readonly others: readonly Word[];
}

/** Undefined for a command that carries no code. */
export function inlineCode(program: string, words: readonly Word[]): InlineCode | undefined {
  const awk = /^[gmn]?awk$/.test(program);
  const codes = awk ? awkCode(words) : codesIn(program, words);
  if (codes.length === 0) return undefined;
  const text = codes.map((code) => code.text).join('\n');
  const runs = awk ? AWK_RUNS : RUNS;
  const backticks = /^(?:perl|ruby|php)/.test(program) && BACKTICKS.test(text);
  const hidden = runs.test(text) || backticks || OUR_OWN.test(text);
  const literals = literalsIn(text);
  return {
    hidden: hidden || literals.length > MOST_LITERALS || codes.some(({ literal }) => !literal && !awk),
    literals: literals.slice(0, MOST_LITERALS),
    others: words.filter((word) => !codes.includes(word)),
  };
}

function codesIn(program: string, words: readonly Word[]): Word[] {
  const option = OPTIONS.find(([name]) => name.test(program))?.[1];
  if (option === undefined) return [];
  return words.flatMap((word, at) => (at > 1 && option.test(words[at - 1]?.text ?? '') ? [word] : []));
}

/** The first word that is no option, unless the program is in a file. */
function awkCode(words: readonly Word[]): Word[] {
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as Word;
    if (/^(?:-f|--file)/.test(text)) return [];
    if (/^-[Fv]$/.test(text)) at += 1;
    else if (!text.startsWith('-')) return [words[at] as Word];
  }
  return [];
}

function literalsIn(text: string): Word[] {
  const found = [...text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)];
  return found.map(([, , inner = '']) => ({ text: inner, literal: true }));
}
