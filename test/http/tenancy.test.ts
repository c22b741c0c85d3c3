import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
let noScopes: string;
beforeAll(async () => {
  server = await startTestServer();
  const { token } = await server.client.call('keys.create', {
    actor_id: 'nobody',
    actor_type: 'agent',
    scopes: ['self'],
  });
  noScopes = token!;
});
afterAll(async () => {
  await server.close();
});

const guarded = (Object.values(operations) as Operation[]).filter(
  ({ http, scope }) => http && scope !== 'open',
);

function ask(operation: Operation, headers: Record<string, string>): Promise<Response> {
  const path = operation.http!.path.replace(/\{\w+\*?\}/g, 'x');
  const method = operation.http!.method === 'ANY' ? 'POST' : operation.http!.method;
  return fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
    signal: AbortSignal.timeout(120_000),
  });
}

describe.each(guarded.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  it('refuses whoever sends no credential', async () => {
    const response = await ask(operation, {});
    expect([401, 403]).toContain(response.status);
    await response.body?.cancel();
  });

  it('refuses a credential without its scope', async () => {
    if (operation.scope === 'self') return;
    const response = await ask(operation, { authorization: `Bearer ${noScopes}` });
    expect(response.status).toBe(403);
    await response.body?.cancel();
  });
});
