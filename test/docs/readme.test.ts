import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShell, type Shell, shellBlocks } from '../setup/shell-page.ts';

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
      for (const block of blocks) {
        const { code, output } = await shell.run(block);
        expect({ block, code, output }).toMatchObject({ code: 0 });
      }
    });
  },
);
