import { afterAll, expect, it } from 'vitest';
import { startTestServer } from '../setup/server.ts';

const server = await startTestServer({
  redact: { secrets: true, file: undefined },
  lenientAtlases: true,
});
afterAll(() => server.close());

async function post(path: string, body: object) {
  const reply = await server.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
}

it('a server that is told so takes secrets out before it hashes, and reads Atlases in other spellings', async () => {
  const loaded = await post('/v1/atlases', {
    atlas_version: '1.0',
    atlas_id: 'com.example.foreign',
    version: '1.0.0',
    name: 'Foreign',
    description: 'Written for another runtime',
    actions: [{ action_id: 'ticket_lookup', name: 'Look up', description: 'Looks a ticket up' }],
    policies: [{ policy_id: 'read', type: 'allow', actions: ['ticket_lookup'] }],
    context_blocks: [
      { context_id: 'login', name: 'Login', content: 'Use password=hunter22', inject_mode: 'always' },
    ],
  });
  expect(loaded.status).toBe(201);
  const goal = 'Log in with password=hunter22';
  const session = await post('/v1/sessions', { agent_id: 'bot', goal });
  const resolution = await post('/v1/resolve', {
    carp_version: '1.0',
    request_id: '01890000-0000-7000-8000-000000000001',
    timestamp: new Date().toISOString(),
    operation: 'resolve',
    requester: { agent_id: 'bot', session_id: session.body.session_id },
    task: { goal },
  });
  expect(resolution.body).toMatchObject({
    decision: { type: 'allow' },
    allowed_actions: [{ action_id: 'ticket.lookup' }],
    context_blocks: [{ block_id: 'login', content: 'Use password=__REDACTED__' }],
  });
  const trace = await (await server.fetch(`/v1/traces/${session.body.session_id}`)).text();
  expect(trace).not.toContain('hunter22');
  const types = (JSON.parse(trace) as { event_type: string }[]).map((event) => event.event_type);
  expect(types).toContain('context.redacted');
});
