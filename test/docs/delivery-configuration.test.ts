import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/slices/delivery/config/keys/config-keys.ts';
import { referenceOf } from '../../src/slices/delivery/config/keys/reference.ts';
import { MULTI_KEYS } from '../../src/slices/delivery/coordinator/config-keys.ts';

const DOCUMENT = `# Configuration of runs

Every key that Baton reads. An unknown key in \`gates\`, \`routing\`, \`policies\`, \`approval_policy\` and \`workstreams\`, and a
misspelled one anywhere, is refused with the nearest name; any other unknown key is mentioned when a run starts. Keys that
begin with \`x-\` are yours. \`baton run doctor\` checks a file without starting anything. This page is generated from the table
that the check uses.

## \`agentxchain.json\`

${referenceOf(CONFIG_KEYS)}

## \`agentxchain-multi.json\`

${referenceOf(MULTI_KEYS)}
`;

describe('the configuration reference', () => {
  it('says what the check of keys knows', async () => {
    await expect(DOCUMENT).toMatchFileSnapshot('../../docs/delivery-configuration.md');
  });
});
