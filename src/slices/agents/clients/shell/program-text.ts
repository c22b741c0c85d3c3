/**
 * What a program in another language spells out, between quotes: paths, and commands where it starts any. It is not
 * understood, and what it computes is not seen.
 */
import { programName, SHELLS } from '../../../../kernel/shell/shell-command.ts';
import type { Word } from '../../../../kernel/shell/split-line.ts';
import { isPath } from './touched-paths.ts';

const MOST = 1_000;
const MOST_LOOKED_AT = 1_000_000;
const STARTS =
  /\b(?:system|popen\w*|subprocess|child_process|spawn\w*|exec[lv]\w*|execSync|execFile\w*|execa|shell_exec|passthru|proc_open|Open3|Deno\.Command|Bun)\b/;
const BACKTICKS_START = /^(?:ruby|perl|php)|^#!.*\b(?:ruby|perl|php)/;
/** Programs that rules speak of. What else a program starts is its own affair. */
const SPOKEN_OF =
  /^(?:baton|baton-ledger|git|gh|glab|hub|rm|rmdir|unlink|shred|sudo|su|ssh|scp|env|npx|npm|pnpm|yarn|docker|podman|kubectl|helm|terraform|tofu|claude|codex|gemini|opencode|cursor|cursor-agent|pkill|killall|twine|cargo)$/;

export interface ProgramText {
  readonly paths: readonly Word[];
  /** Programs with their arguments. */
  readonly commands: readonly (readonly Word[])[];
  /** Lines for a shell. */
  readonly lines: readonly string[];
  /** There is more than is looked at. */
  readonly more: boolean;
}

export function programText(text: string, program: string): ProgramText {
  const { literals, more } = literalsOf(text);
  const paths = literals
    .map(({ inner }) => ({ text: inner, literal: true }))
    .filter((word) => isPath(word.text));
  const starts =
    STARTS.test(text) ||
    (text.includes('`') && (BACKTICKS_START.test(program) || BACKTICKS_START.test(text)));
  const lists = (starts ? listsOf(text, literals) : []).filter(([first = '']) => isSpokenOf(first));
  return {
    paths,
    commands: lists
      .filter(({ length }) => length > 1)
      .map((list) => list.map((each) => ({ text: each, literal: true }))),
    lines: lists.flatMap(([line = '', second]) =>
      second === undefined && /\S\s+\S/.test(line) ? [line] : [],
    ),
    more,
  };
}

function isSpokenOf(text: string): boolean {
  const program = programName(/^\s*(\S+)/.exec(text)?.[1] ?? '');
  return SPOKEN_OF.test(program) || SHELLS.has(program);
}

interface Literal {
  readonly inner: string;
  readonly from: number;
  readonly to: number;
}

/** Those with nothing but commas and brackets between them: `'git', ['push']`. */
function listsOf(text: string, literals: readonly Literal[]): string[][] {
  const lists: string[][] = [];
  let end = -1;
  for (const { inner, from, to } of literals) {
    if (end >= 0 && /^[\s[({]*,[\s[({]*$/.test(text.slice(end, from))) lists.at(-1)?.push(inner);
    else lists.push([inner]);
    end = to;
  }
  return lists;
}

/** An apostrophe in a remark ends with its line. */
function literalsOf(text: string): { readonly literals: readonly Literal[]; readonly more: boolean } {
  const literals: Literal[] = [];
  let looked = 0;
  for (let at = 0; at < text.length; at++) {
    const quote = text[at] as string;
    if (!'"\'`'.includes(quote)) continue;
    let to = at + 1;
    while (to < text.length && text[to] !== quote && (quote === '`' || text[to] !== '\n'))
      to += text[to] === '\\' ? 2 : 1;
    looked += to - at;
    if (looked > MOST_LOOKED_AT || literals.length >= MOST) return { literals, more: true };
    if (text[to] !== quote) continue;
    literals.push({ inner: text.slice(at + 1, to), from: at, to: to + 1 });
    at = to;
  }
  return { literals, more: false };
}
