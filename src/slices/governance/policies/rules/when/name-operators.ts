/** Tests on names that have several spellings: files and branches. */
import { fitsGlob, isWithin, parseFilePath } from './file-path.ts';
import { readGitRef, refTest } from './git-ref.ts';
import type { Operator } from './operator.ts';
import { agreed, type Outcome, some } from './outcome.ts';
import { readFilePath } from './read-file-path.ts';
import { readTexts, TEXTS_NEEDED } from './texts-operand.ts';

type NameTest<Name> = (name: Name, ignoreCase: boolean) => Outcome;

/**
 * `read` gives every reading of the text, and none where it may name anything. Which case a file system minds is not known
 * here: unless the rule says so, a name that fits in another case may fit.
 */
function nameTest<Name>(
  read: (text: string) => readonly Name[],
  words: Pick<Operator, 'summary' | 'example'>,
  compile: (of: string) => NameTest<Name> | string,
): Operator {
  return {
    judges: ['string'],
    operand: 'texts',
    ...words,
    make: (operand) => {
      const texts = readTexts(operand);
      if (!texts) return TEXTS_NEEDED;
      const tests: NameTest<Name>[] = [];
      for (const text of texts.of) {
        const test = compile(text);
        if (typeof test === 'string') return test;
        tests.push(test);
      }
      const cases = texts.ignoreCase === undefined ? [false, true] : [texts.ignoreCase];
      return (value) => {
        if (value === undefined) return false;
        const readings = typeof value === 'string' ? read(value) : [];
        return agreed(
          readings.flatMap((name) =>
            cases.map((ignoreCase) => some(tests, (test) => test(name, ignoreCase))),
          ),
        );
      };
    },
  };
}

export const NAME_OPERATORS = {
  path_within: nameTest(
    readFilePath,
    {
      summary: 'the file path is one of these folders or below it, once `.` and `..` are resolved',
      example: ['src', 'docs'],
    },
    (folder) => {
      const parsed = parseFilePath(folder);
      if (!parsed) return `${folder} is no path`;
      return (path, ignoreCase) => isWithin(path, parsed, ignoreCase);
    },
  ),
  path_matches: nameTest(
    readFilePath,
    {
      summary:
        'the file path fits a glob over its segments: `*` stays within one, `**` is any number; without a slash, the last one counts',
      example: ['.env*', '*.pem'],
    },
    (glob) => {
      if (/[^/]\/$/.test(glob)) return `${glob} ends with a slash: ${glob}** is what is below it`;
      return (path, ignoreCase) => fitsGlob(path, glob, ignoreCase);
    },
  ),
  ref_matches: nameTest(
    readGitRef,
    {
      summary:
        'the git branch fits one of these globs, by whatever name: `main`, `refs/heads/main`, `origin/main`, and `+HEAD:main`, which writes it. Globs that begin with `refs/` are about whole refs',
      example: ['main', 'release/*'],
    },
    refTest,
  ),
} satisfies Record<string, Operator>;
