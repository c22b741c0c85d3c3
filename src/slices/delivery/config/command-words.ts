/** A piece of a word: in single quotes, in double quotes, escaped, or bare. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs;
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs;

/** The words of a command line as a shell would split it: quotes and backslashes count, nothing is expanded. */
export function commandWords(line: string): readonly string[] {
  return [...line.matchAll(WORD)].map(([word]) =>
    [...word.matchAll(PIECE)]
      .map(
        ([, single, double, escaped, bare]) =>
          single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? bare,
      )
      .join(''),
  );
}
