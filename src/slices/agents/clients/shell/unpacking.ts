/** Commands that bring an archive, or all that is in a folder, to where files are already. */
import type { Word } from '../../../../kernel/shell/split-line.ts';

const HERE: Word = { text: '.', literal: true };

interface Unpacker {
  /** Whether its words tell it to unpack to files. */
  readonly unpacks: (argv: readonly string[]) => boolean;
  /** The option that names the folder, glued to it or before it. */
  readonly folder?: RegExp;
}

const some = (option: RegExp) => (argv: readonly string[]) => argv.slice(1).some((word) => option.test(word));
const first = (word: RegExp) => (argv: readonly string[]) => word.test(argv[1] ?? '');

const TAR: Unpacker = {
  unpacks: (argv) =>
    (first(/^[A-Za-z]*x/)(argv) || some(/^(?:-[A-Za-z]*x|--(?:extract|get)$)/)(argv)) &&
    !first(/^-?[A-Za-z]*O/)(argv) &&
    !some(/^(?:-[A-Za-z]*O|--to-stdout$)/)(argv),
  folder: /^(?:-[A-Za-z]*C|--directory=?)/,
};
const SEVEN: Unpacker = { unpacks: first(/^[xe]$/), folder: /^-o/ };
const UNPACKERS: Readonly<Record<string, Unpacker>> = {
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  unzip: { unpacks: (argv) => !some(/^-[A-Za-z]*[lvtpzZc]/)(argv), folder: /^-[A-Za-z]*d/ },
  '7z': SEVEN,
  '7za': SEVEN,
  '7zr': SEVEN,
  '7zz': SEVEN,
  unrar: { unpacks: first(/^[xe]$/) },
  jar: { unpacks: first(/^-?[a-z]*x|^--extract$/), folder: /^-C/ },
  cpio: { unpacks: some(/^(?:-[A-Za-z]*[ip]|--(?:extract|pass-through)$)/), folder: /^(?:-D|--directory=?)/ },
  pax: { unpacks: some(/^-[A-Za-z]*r/) },
};

/** The folders that it may bring them to; none if it does not. */
export function unpackedInto(program: string, words: readonly Word[]): readonly Word[] {
  const argv = words.map(({ text }) => text);
  if (/^(?:cp|rsync|ditto)$/.test(program)) return contentsInto(program, words, argv);
  if (/^python[\d.]*$/.test(program)) return byModule(words, argv);
  const unpacker = Object.hasOwn(UNPACKERS, program) ? UNPACKERS[program] : undefined;
  if (!unpacker?.unpacks(argv)) return [];
  const folders = words.flatMap((word, at): Word[] => {
    const option = at > 0 ? unpacker.folder?.exec(word.text)?.[0] : undefined;
    if (option === undefined) return [];
    const next = words[at + 1];
    if (option.length < word.text.length) return [{ ...word, text: word.text.slice(option.length) }];
    return next === undefined ? [] : [next];
  });
  if (folders.length > 0) return folders;
  // `tar xfC a.tar folder` and `unrar x a.rar folder/` name it without an option.
  return /^[A-Za-z]*C/.test(argv[1] ?? '') || program === 'unrar' ? [HERE, ...words.slice(2)] : [HERE];
}

/** `cp -r x/. .`, `cp -rT x .`, `rsync -a x/ .`. */
function contentsInto(program: string, words: readonly Word[], argv: readonly string[]): readonly Word[] {
  const option = argv.findIndex((word) => /^(?:-[a-zA-Z]*t|--target-directory)$/.test(word));
  const into = program === 'cp' && option > 0 ? words[option + 1] : words.at(-1);
  const contents = program === 'rsync' ? /\/\.?$|^\.$/ : /\/\.$|^\.\/?$/;
  const whole =
    program === 'ditto' ||
    words.some((word, at) => at > 0 && word !== into && contents.test(word.text)) ||
    (program === 'cp' && some(/^(?:-[a-zA-Z]*T|--no-target-directory)/)(argv));
  return whole && into !== undefined ? [into] : [];
}

/** `python3 -m zipfile -e x.zip folder`. */
function byModule(words: readonly Word[], argv: readonly string[]): readonly Word[] {
  const unpacks = /^(?:zip|tar)file$/.test(argv[argv.indexOf('-m') + 1] ?? '');
  const at = argv.findIndex((word) => /^(?:-e|--extract)$/.test(word));
  return unpacks && at > 0 ? [words[at + 2] ?? HERE] : [];
}
