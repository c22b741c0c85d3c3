import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { runDemo } from './demo.ts';

it('the demo takes a newcomer through a whole run and leaves nothing behind', async () => {
  const lines: string[] = [];
  const { report, verified, root } = await runDemo({
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
    say: (line) => lines.push(line),
  });
  expect(report).toMatchObject({
    status: 'completed',
    gates: { planning_signoff: 'passed', built: 'passed', ship: 'passed' },
  });
  expect(report.turns.map((turn) => turn.role)).toEqual(['pm', 'dev', 'qa']);
  expect(lines.join('\n')).toMatch(/Sent back: .*src\/names\.mjs/);
  expect(verified).toBe(true);
  expect(existsSync(root)).toBe(false);
});
