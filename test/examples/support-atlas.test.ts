import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeAtlas, lintAtlas } from '../../src/slices/governance/atlases/files/inspect.ts';
import { testAtlas } from '../../src/slices/governance/atlases/files/test-atlas.ts';
import { gatewayConfigSchema } from '../../src/slices/governance/gateway/config.ts';

const root = join(import.meta.dirname, '../..');
const atlas = join(root, 'examples/support-atlas');

describe('the Atlas in examples', () => {
  it('has nothing to correct, and passes its own tests with every policy reached', async () => {
    expect(await lintAtlas(atlas)).toEqual({ loadable: true, findings: [], warnings: [] });
    expect(await testAtlas(atlas, 1)).toMatchObject({ passed: true, covered: 1 });
  });

  it('has no policy without effect; only the action that is denied on purpose can never run', async () => {
    const { findings } = await analyzeAtlas(atlas);
    expect(findings.map(({ kind, message }) => [kind, message])).toEqual([
      ['unrunnable', 'Nobody can ever run ticket.delete'],
    ]);
  });
});

describe('the gateway in the guide', () => {
  it('is configured as the gateway takes it', async () => {
    const page = await readFile(join(root, 'docs/governance.md'), 'utf8');
    const [, config = ''] = page.match(/cat > gateway\.json <<'END'\n([\s\S]*?)END\n/) ?? [];
    expect(gatewayConfigSchema.parse(JSON.parse(config))).toMatchObject({ agent_id: 'shop-bot' });
  });
});
