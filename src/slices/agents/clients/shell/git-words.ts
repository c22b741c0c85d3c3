/** What git's own arguments make it run or replace. */
import type { Word } from '../../../../kernel/shell/split-line.ts';

/** Settings that name no program. Any other may: aliases, pagers, editors, filters, helpers, hooks. */
const HARMLESS =
  /^(?:(?:user|color|advice|pull|push|fetch|branch|log|status|rebase|commit|tag|column|help|format|http|safe|rerere|transfer|stash|blame|gc|index|pack|feature|versionsort)\..+|core\.(?:quotepath|autocrlf|filemode|ignorecase|longpaths|abbrev|symlinks|eol|safecrlf|whitespace|precomposeunicode|excludesfile|commentchar|untrackedcache|preloadindex|logallrefupdates|bare)|init\.defaultbranch|remote\..+\.(?:url|pushurl|fetch|prune)|diff\.(?:algorithm|renames|renamelimit|noprefix|mnemonicprefix|context|colormoved|submodule)|merge\.(?:conflictstyle|ff|renames|renamelimit)|submodule\.(?:recurse|.+\.(?:url|branch|active)))$/i;
/** Their value is a program at the other end, or a pager. */
const PROGRAM_OPTIONS =
  /^--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager|config-env)(?:=|$)|^-O./;

export interface GitWords {
  /** True if an argument names a program to run that is not in `lines`. */
  readonly unclear: boolean;
  /** Lines that it hands to a shell. */
  readonly lines: readonly Word[];
  /** Paths whose content it replaces or removes, as far as they can be told from revisions. */
  readonly replaces: readonly Word[];
}

export function gitWords(words: readonly Word[], subcommandAt: number): GitWords {
  const before = words.slice(1, subcommandAt);
  const rest = words.slice(subcommandAt + 1);
  const given = before.flatMap(({ text }, at) => (text === '-c' ? [before[at + 1]?.text ?? ''] : []));
  const subcommand = words[subcommandAt]?.text ?? '';
  const settings = subcommand === 'config' ? settingOf(rest) : [];
  const harmful = [...given.map((setting) => setting.split('=')[0] ?? ''), ...settings].some(
    (key) => !HARMLESS.test(key),
  );
  const options = [...before, ...rest].some(({ text }) => PROGRAM_OPTIONS.test(text));
  const lines = linesOf(subcommand, rest);
  return {
    unclear: harmful || (options && lines.length === 0),
    lines,
    replaces: REPLACING.has(subcommand) ? rest.filter(({ text }) => !text.startsWith('-')) : [],
  };
}

const REPLACING = new Set([
  'checkout',
  'restore',
  'reset',
  'stash',
  'rm',
  'mv',
  'read-tree',
  'checkout-index',
]);

/** The key that `git config` sets; none where it only reads. */
function settingOf(rest: readonly Word[]): string[] {
  const texts = rest.map(({ text }) => text);
  if (
    texts.some((text) =>
      /^(?:--get.*|--list|-l|--unset.*|--name-only|--show-origin|get|list|unset)$/.test(text),
    )
  )
    return [];
  if (texts.some((text) => /^(?:-e|--edit|edit)$/.test(text))) return ['editor'];
  const valued = /^(?:-f|--file|--blob|--type|--default|--comment)$/;
  const named = texts.filter((text, at) => !text.startsWith('-') && !valued.test(texts[at - 1] ?? ''));
  const [key, value] = named[0] === 'set' ? named.slice(1) : named;
  return key !== undefined && value !== undefined ? [key] : [];
}

function linesOf(subcommand: string, rest: readonly Word[]): Word[] {
  const [first, ...others] = rest;
  const line = (words: readonly Word[]): Word[] => [
    { text: words.map(({ text }) => text).join(' '), literal: words.every(({ literal }) => literal) },
  ];
  if (subcommand === 'bisect' && first?.text === 'run') return line(others);
  if (subcommand === 'submodule' && first?.text === 'foreach')
    return line(others.filter(({ text }) => text !== '--recursive'));
  if (subcommand !== 'rebase') return [];
  return rest.flatMap((word, at) => {
    const glued = /^--exec=(.*)$/s.exec(word.text)?.[1];
    if (glued !== undefined) return [{ ...word, text: glued }];
    const next = rest[at + 1];
    return /^(?:-x|--exec)$/.test(word.text) && next ? [next] : [];
  });
}
