import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShell, type Shell, shellBlocks } from '../setup/shell-page.ts';

/** What the README's first transcript must show, in this order. */
const TRANSCRIPT = [
  'Project shop, new',
  'Rules repo.shop 1.0.0 in .baton/atlas, not enforced yet',
  '✔ Claude Code: agent claude-code',
  '✔ Codex: agent codex',
  'would have denied 1 and asked about 0 of the calls',
  'force-push × 1',
  'The rules are enforced.',
  '> Asked: Fix the cart total and push it',
  '> Committed:',
  '✖ Denied by policy. git push --force origin main',
  'committed in the session, claude-code',
  'policy work: allow shell.run',
  'The journal holds.',
  'shop  rules enforced',
  'Hooks    on in claude-code, codex',
  'denied: 1',
];

describe.each(['README.md', 'docs/context.md', 'docs/delivery.md', 'docs/governance.md', 'docs/memory.md'])(
  '%s',
  (page) => {
    let shell: Shell;
    beforeAll(async () => {
      shell = await openShell();
    });
    afterAll(() => shell.close());

    it('shows commands that work as written, against a running server', async () => {
      const blocks = await shellBlocks(page);
      expect(blocks.length).toBeGreaterThan(2);
      const outputs: string[] = [];
      for (const block of blocks) {
        const { code, output } = await shell.run(block);
        expect({ block, code, output }).toMatchObject({ code: 0 });
        outputs.push(output);
      }
      if (page === 'README.md') expectInOrder(outputs[0]!, TRANSCRIPT);
    });
  },
);

function expectInOrder(text: string, lines: readonly string[]): void {
  let at = 0;
  for (const line of lines) {
    const found = text.indexOf(line, at);
    expect({ line, found: found >= 0, text }).toMatchObject({ found: true });
    at = found + line.length;
  }
}
