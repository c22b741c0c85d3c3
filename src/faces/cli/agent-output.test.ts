import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hiddenIn } from '../../kernel/testing.ts';
import { agentOutput } from './agent-output.ts';

function printed(chunks: readonly string[]): string {
  let text = '';
  const pass = agentOutput((part) => {
    text += part;
  });
  for (const chunk of chunks) pass(chunk);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: our own dimming, where colours are on.
  return text.replaceAll(/\u001b\[(2|22)m/g, '');
}

it('marks every line that an agent’s process prints, however it comes in pieces', () => {
  expect(printed(['one\ntw', 'o\n', '\r✓ accepted\tx\n'])).toBe('│ one\n│ two\n│ \n│ ✓ accepted    x\n');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 8 }), (chunks) => {
      const lines = printed(chunks).split('\n');
      if (lines.at(-1) === '') lines.pop();
      expect(lines.every((line) => line.startsWith('│ '))).toBe(true);
      expect(hiddenIn(lines.join('\n'))).toEqual([]);
    }),
  );
});

it('drops colours and shows whatever else would move the cursor', () => {
  expect(printed(['\u001b[32mok\u001b[0m \u001b[2Kgone\n'])).toBe('│ ok \\u001b[2Kgone\n');
});
