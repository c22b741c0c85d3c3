/** Commands that apply a patch: what they write stands in its text. */
import type { ShellCommand, Word } from '../../../../kernel/shell/split-line.ts';
import { filesOfEnvelope, namesInDiff } from '../patched-files.ts';
import type { Place } from '../paths.ts';
import { REMOVED } from '../private-words.ts';
import { plain } from './run-scripts.ts';
import type { TouchedPath } from './touched-paths.ts';

interface AppliedPatch {
  /** The files that hold it. */
  readonly files: readonly Word[];
  /** It comes on the standard input. */
  readonly fromInput: boolean;
  /** The files that it is told to change, whatever the patch says. */
  readonly targets: readonly Word[];
  /** The folder that its paths are relative to, where that is not the command's own. */
  readonly folders: readonly Word[];
}

/** What a command reads: of one that another starts it is the same. */
export type Fed = Pick<ShellCommand, 'redirects' | 'input'>;

interface Known extends Fed {
  readonly place: Place;
  /** Names of files that earlier commands of the line may have written. */
  readonly written: ReadonlySet<string>;
}

interface Patched {
  readonly paths: readonly TouchedPath[];
  /** Nobody has seen all of it. */
  readonly unclear: boolean;
}

const MOST = 200;

/** What a command changes by applying a patch; undefined if it applies none. */
export function patchedBy(
  program: string,
  subcommand: string,
  words: readonly Word[],
  known: Known,
): Patched | undefined {
  if (program === 'apply_patch' || program === 'applypatch') return byEnvelope(words[1] ?? known.input);
  if (program === 'git' && subcommand === 'apply') return byDiff(gitApply(words), known);
  if (program === 'git' && subcommand === 'am') return byDiff(gitAm(words), known);
  if (program === 'patch' || program === 'gpatch') return byDiff(plainPatch(words), known);
  return undefined;
}

/** The form that agents write, which Codex applies itself where a shell is told to. */
function byEnvelope(given: Word | undefined): Patched {
  const files = given?.literal ? filesOfEnvelope(given.text) : [];
  const paths = files.slice(0, MOST).map(
    ({ path, deletes }): TouchedPath => ({
      action: deletes ? 'file.delete' : 'file.write',
      word: { text: path, literal: true },
    }),
  );
  return { paths, unclear: files.length === 0 || files.length > MOST };
}

function byDiff(patch: AppliedPatch | undefined, known: Known): Patched | undefined {
  if (patch === undefined) return undefined;
  const { input, redirects, place, written } = known;
  const incoming = redirects.filter(({ direction }) => direction === 'in').map(({ target }) => target);
  const files = [...patch.files, ...(patch.fromInput ? incoming : [])];
  const here = patch.fromInput && incoming.length === 0;
  const texts = files.flatMap(({ text }) => place.scripts?.[text]?.text ?? []);
  if (here && input) texts.push(input.text);
  const names = texts.map(namesInDiff);
  const all = names.flat();
  return {
    paths: [
      ...patch.targets.map((word): TouchedPath => ({ action: 'file.write', word })),
      ...all.slice(0, MOST).flatMap((name) => placesMeant(name, patch.folders, input?.literal !== false)),
    ],
    unclear:
      (here && !input) ||
      all.length > MOST ||
      files.some(({ text, literal }) => !literal || written.has(plain(text))) ||
      patch.folders.some(({ literal }) => !literal) ||
      names.some((found, at) => found.length === 0 || texts[at]?.includes(REMOVED)),
  };
}

/** The path without git's `a/`, and what remains of it if more folders are left out, where a rule guards that. */
function placesMeant(name: string, folders: readonly Word[], literal: boolean): TouchedPath[] {
  const parts = name.replace(/^[abciow]\//, '').split('/');
  return parts.flatMap((part, at) => {
    if (part === '' && at > 0) return [];
    const path = parts.slice(at).join('/');
    return [path, ...folders.map(({ text }) => `${text}/${path}`)].map(
      (text): TouchedPath => ({
        action: 'file.write',
        word: { text, literal },
        ...(at > 0 && { perhaps: true }),
      }),
    );
  });
}

function gitApply(words: readonly Word[]): AppliedPatch | undefined {
  const has = (option: RegExp) => words.some(({ text }) => option.test(text));
  if (has(/^--(?:check|stat|numstat|summary)$/) && !has(/^--apply$/)) return undefined;
  const valued = /^(?:-p|-C|--directory|--include|--exclude|--whitespace|--build-fake-ancestor)$/;
  return fromFiles(words, wordsAfter(words, 'apply', valued));
}

function gitAm(words: readonly Word[]): AppliedPatch | undefined {
  const goesOn = /^--(?:continue|resolved|skip|abort|quit|retry|show-current-patch)|^-r$/;
  if (words.some(({ text }) => goesOn.test(text))) return undefined;
  const valued = /^(?:-p|-C|--directory|--include|--exclude|--whitespace|--patch-format)$/;
  return fromFiles(words, wordsAfter(words, 'am', valued));
}

function fromFiles(words: readonly Word[], named: readonly Word[]): AppliedPatch {
  const files = named.filter(({ text }) => text !== '-');
  const fromInput = files.length < named.length || files.length === 0;
  return { files, fromInput, targets: [], folders: valuesOf(words, /^(?:--directory|-C|--work-tree)$/) };
}

/** The values of options, after `=` or as the next word. */
function valuesOf(words: readonly Word[], option: RegExp): Word[] {
  return words.flatMap((word, at) => {
    const [name = '', ...value] = word.text.split('=');
    if (!option.test(name)) return [];
    const next = words[at + 1];
    if (value.length > 0) return [{ ...word, text: value.join('=') }];
    return next === undefined ? [] : [next];
  });
}

const PATCH_VALUES =
  /^(?:-[BDFgopVYzr]|--(?:prefix|ifdef|fuzz|get|output|strip|version-control|basename-prefix|suffix|reject-file))$/;

/** `patch [OPTION…] [FILE [PATCH]]`. */
function plainPatch(words: readonly Word[]): AppliedPatch | undefined {
  if (words.some(({ text }) => /^--(?:dry-run|help|version)$/.test(text))) return undefined;
  const files: Word[] = [];
  const targets: Word[] = [];
  const folders: Word[] = [];
  const named: Word[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as Word;
    const next = words[at + 1];
    const [, option = '', value] =
      /^(-[iod]|--(?:input|output|directory)(?==))=?(.+)$/s.exec(word.text) ?? [];
    const whole = /^(?:-[iod]|--(?:input|output|directory))$/.test(word.text);
    const name = whole ? word.text : option;
    const given = whole ? next : { text: value ?? '', literal: word.literal };
    if (name !== '' && given !== undefined) {
      if (/^(?:-i|--input)$/.test(name)) files.push(given);
      if (/^(?:-o|--output)$/.test(name)) targets.push(given);
      if (/^(?:-d|--directory)$/.test(name)) folders.push(given);
      if (whole) at += 1;
    } else if (PATCH_VALUES.test(word.text)) at += 1;
    else if (!word.text.startsWith('-') || word.text === '-') named.push(word);
  }
  const [original, patch] = named;
  if (original) targets.push(original);
  if (patch) files.push(patch);
  const plain = files.filter(({ text }) => text !== '-');
  const fromInput = plain.length < files.length || files.length === 0;
  return { files: plain, fromInput, targets, folders };
}

/** What follows a subcommand and is no option. */
function wordsAfter(words: readonly Word[], subcommand: string, valued: RegExp): Word[] {
  const rest = words.slice(words.findIndex(({ text }) => text === subcommand) + 1);
  return rest.filter(
    ({ text }, at) => (!text.startsWith('-') || text === '-') && !valued.test(rest[at - 1]?.text ?? ''),
  );
}
