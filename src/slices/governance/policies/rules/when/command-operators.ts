import type { Operator } from './operator.ts';
import { every, type Outcome, some } from './outcome.ts';
import { type CommandPattern, commandPattern, commandsOf } from './shell-line.ts';
import { readTexts, TEXTS_NEEDED } from './texts-operand.ts';

function commandTest(
  summary: string,
  example: unknown,
  judge: (line: NonNullable<ReturnType<typeof commandsOf>>, fits: CommandPattern) => Outcome,
): Operator {
  return {
    judges: ['string', 'array'],
    operand: 'texts',
    summary,
    example,
    make: (operand) => {
      const texts = readTexts(operand);
      if (!texts) return TEXTS_NEEDED;
      const patterns: CommandPattern[] = [];
      for (const text of texts.of) {
        const pattern = commandPattern(text, texts.ignoreCase === true);
        if (typeof pattern === 'string') return pattern;
        patterns.push(pattern);
      }
      return (value) => {
        if (value === undefined) return false;
        const line = commandsOf(value);
        return line ? judge(line, (words) => some(patterns, (fits) => fits(words))) : 'unclear';
      };
    },
  };
}

export const COMMAND_OPERATORS = {
  runs: commandTest(
    'the shell command, or array of a program and its arguments, runs a command that fits one of these: one glob for each word, `**` for any number of words; `a; b` and `a $(b)` run both',
    ['curl **', 'git push ** --force **'],
    ({ commands, plain }, fits) => {
      const outcome = some(commands, fits);
      return outcome === false && !plain ? 'unclear' : outcome;
    },
  ),
  runs_only: commandTest(
    'every command that it runs fits one of these, and it sets no variable and writes no file by itself',
    ['npm test', 'npm run *', 'git status **'],
    ({ commands, plain }, fits) => {
      const outcome = every(commands, fits);
      return outcome === true && (!plain || commands.length === 0) ? 'unclear' : outcome;
    },
  ),
} satisfies Record<string, Operator>;
