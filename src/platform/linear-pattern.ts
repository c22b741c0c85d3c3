/**
 * Regular expressions from outside. Ours go back and try again, which somebody's pattern and somebody else's text can make
 * last for years; RE2 reads a text once. What it cannot do (look around, back-references) is refused.
 */
import { RE2JS } from 're2js';

export interface LinearPattern {
  test(text: string): boolean;
  /** Every match replaced by the same words. */
  replaceAll(text: string, by: string): string;
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly problem: string };

/** Repeats of repeats make an automaton as large as their product. */
const LONGEST = 4_096;

/** `source` is a pattern of ECMAScript with the flag `u`, as JSON Schema has it, and means what it means there. */
export function linearPattern(source: string): PatternResult {
  if (source.length > LONGEST) return refused(source, `it is longer than ${LONGEST} characters`);
  try {
    new RegExp(source, 'u');
  } catch (error) {
    return refused(source, messageOf(error));
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(asRe2(source)));
    return {
      ok: true,
      pattern: {
        test: (text) => compiled.test(text),
        replaceAll: (text, by) => compiled.matcher(text).replaceAll(RE2JS.quoteReplacement(by)),
      },
    };
  } catch (error) {
    const reason = messageOf(error).replace(/^error parsing regexp: /, '');
    return refused(
      source,
      `it cannot be matched in linear time (${reason}): look-around, back-references and repeats over 1000 cannot`,
    );
  }
}

function refused(source: string, reason: string): PatternResult {
  const shown = source.length > 80 ? `${source.slice(0, 80)}…` : source;
  return { ok: false, problem: `The pattern ${shown} is refused: ${reason}` };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the two call by the same name but do not mean by it: white space, any character, scripts. */
const SPACES =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';

function asRe2(source: string): string {
  let written = '';
  let inClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const letter = source[at] as string;
    if (letter === '\\') {
      const escaped = source[at + 1] ?? '';
      const script = /^\\([pP])\{(?:Script|sc|General_Category|gc)=(\w+)\}/.exec(source.slice(at, at + 80));
      if (script) {
        written += `\\${script[1]}{${script[2]}}`;
        at += script[0].length - 1;
        continue;
      }
      // To RE2 it would be the letter.
      if (escaped === 'k') throw new Error('a back-reference');
      if (escaped === 's') written += inClass ? SPACES : `[${SPACES}]`;
      else if (escaped === 'S' && !inClass) written += `[^${SPACES}]`;
      else written += letter + escaped;
      at += 1;
    } else if (inClass) {
      // A bracket in a class is a letter to us and may begin a named class to RE2.
      written += letter === '[' ? '\\[' : letter;
      inClass = letter !== ']';
    } else {
      const empty = letter === '[' && /^\[\^?\]/.exec(source.slice(at, at + 3))?.[0];
      if (empty) {
        written += empty === '[]' ? '[^\\x{0}-\\x{10ffff}]' : '[\\x{0}-\\x{10ffff}]';
        at += empty.length - 1;
      } else {
        written += letter === '.' ? `[^${LINE_ENDS}]` : letter;
        inClass = letter === '[';
      }
    }
  }
  return written;
}
