import { describe, expect, it } from 'vitest';
import { commandWords } from './command-words.ts';

describe('a command line', () => {
  it.each([
    ['claude -p', ['claude', '-p']],
    [`sh -c 'echo "hi there"'  --x`, ['sh', '-c', 'echo "hi there"', '--x']],
    ['a "b \\"c\\" \\\\ d"e \'\'', ['a', 'b "c" \\ de', '']],
    ['my\\ program $HOME', ['my program', '$HOME']],
    ['  ', []],
  ])('%s is split as a shell would', (line, words) => {
    expect(commandWords(line)).toEqual(words);
  });
});
