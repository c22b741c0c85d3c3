import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { capabilities } from './handlers.ts';

it('claims the same over HTTP as the file at the root claims over stdio', () => {
  const file = new URL('../../../../.agentxchain-conformance/capabilities.json', import.meta.url);
  const { adapter, ...claimed } = JSON.parse(readFileSync(file, 'utf8'));
  const { adapter: remote, ...answered } = capabilities(claimed.version);
  expect(answered).toEqual(claimed);
  expect(adapter).toEqual({
    protocol: 'stdio-fixture-v1',
    command: ['node', '.agentxchain-conformance/adapter.js'],
  });
  expect(remote).toEqual({ protocol: 'http-fixture-v1' });
});
