import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const { client } = server;
  await client.call('memory.profile.create', { display_name: 'Ada' });
  await client.call('memory.add', { content: 'Prefers green tea', category: 'a2p:preferences' });
  const { token } = await client.call('keys.create', { actor_id: 'coach', actor_type: 'agent' });
  const response = await fetch(`${server.url}/v1/memory/proposals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Uses tabs in Go', category: 'a2p:preferences.coding' }),
  });
  expect(response.status).toBe(201);
});
afterAll(() => server.close());

const said = async (...args: string[]) =>
  (await runBaton(args, { env: { BATON_DATA: server.dataDir } })).stdout;

it('the commands about memory say what is remembered, proposed and allowed, and to whom', async () => {
  expect(await said('memory', 'list')).toContain('Prefers green tea');
  expect(await said('memory', 'recall', 'tea')).toContain('Prefers green tea');
  expect(await said('memory', 'recall', 'tea', '--max-tokens', '200')).toMatch(
    /\n(?:│ )?> Prefers green tea\n/,
  );
  expect(await said('memory', 'proposals')).toMatch(/prop_\w+\s+coach\s+Uses tabs in Go/);
  expect(await said('memory', 'policies')).toMatch(/did:a2p:agent:local:\*\s+propose\s+a2p:\*, ext:\*/);
  expect(await said('memory', 'access')).toMatch(/rcpt_\w+\s+coach\s+propose/);
});
