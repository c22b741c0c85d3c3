import pc from 'picocolors';
import { visible } from '../../kernel/visible-text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: programs colour what they print, and need not know that we read it.
const COLOUR = /\u001b\[[0-9;]*m/g;

/**
 * Passes on what an agent's process prints as it comes, with a mark before each line: no line of it can pose as one of
 * ours, and none can move the cursor.
 */
export function agentOutput(write: (text: string) => unknown): (chunk: string) => void {
  let atStart = true;
  return (chunk) => {
    const text = chunk.replace(COLOUR, '').replace(/\r\n?/g, '\n').replaceAll('\t', '    ');
    if (text === '') return;
    const marked = visible(text).replaceAll(/\n(?!$)/g, '\n│ ');
    write(pc.dim(atStart ? `│ ${marked}` : marked));
    atStart = text.endsWith('\n');
  };
}
