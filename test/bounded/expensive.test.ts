import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPackage } from '../context/a-package.ts';
import { startWatchedServer, type WatchedServer } from './watched-server.ts';

const json = { 'content-type': 'application/json' };
const MEGABYTE = 1024 * 1024;

/** One agent with an ordinary key sends these; everybody else must not notice. */
describe('what an agent can make expensive', () => {
  let server: WatchedServer;
  beforeAll(async () => {
    server = await startWatchedServer({ BATON_WORK_SECONDS: '5' });
    // What the first request of each kind loads and compiles is no attack.
    await post('/v1/atlases/check', atlas({}));
    await post('/v1/projects/default/packages', pack('warm', 'some words'));
    await server.fetch('/v1/orchestrate');
    await post('/v1/atlases/check', atlas({ actions: actions(40) }));
  });
  afterAll(() => server.close());

  const post = async (path: string, body: unknown) => {
    const response = await server.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  function atlas(more: object) {
    return {
      atlas_version: '1.0',
      atlas_id: 'com.example.large',
      version: '1.0.0',
      name: 'Large',
      description: 'As large as it gets',
      ...more,
    };
  }
  const actions = (count: number, schema: object = { type: 'object' }) =>
    Array.from({ length: count }, (_, at) => ({
      action_id: `work.do${at}`,
      name: `Do ${at}`,
      description: 'Does it',
      parameters_schema: schema,
    }));
  const policies = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      policy_id: `p${at}`,
      type: at % 2 ? 'deny' : 'allow',
      actions: ['*'],
      conditions: { agents: [`*${at}*`, `agent-${at}-?*x`] },
    }));
  const properties = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string', minLength: 1, maxLength: 100 }]),
    ),
  });
  const words = (bytes: number) => {
    const list: string[] = [];
    for (let length = 0, at = 0; length < bytes; at += 1) {
      const word = `w${(at * 2_654_435_761).toString(36)}`;
      list.push(word);
      length += word.length + 1;
    }
    return list.join(' ');
  };
  const pack = (id: string, text: string) => ({
    ...aPackage(id, { project_id: 'default', created_by: { id: 'owner', type: 'human', session_id: null } }),
    description: text,
  });

  async function watched<T>(work: () => Promise<T>): Promise<{ answer: T; longest: number; more: number }> {
    const before = await server.reset();
    const answer = await work();
    const { longest, peak, rss } = await server.measure();
    return { answer, longest, more: Math.max(peak, rss) - before.rss };
  }

  /** For the loop and the memory while it happens; how much longer it takes in a thread is that agent's own affair. */
  const BUSY = 100;

  it('a manifest whose schema has 15,000 properties is refused, and nobody waits for it', async () => {
    const { answer, longest } = await watched(() =>
      post('/v1/atlases/check', atlas({ actions: actions(1, properties(15_000)) })),
    );
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'WORK_TOO_LARGE' } } });
    expect(longest).toBeLessThan(BUSY);
  });

  it('300 actions and 400 policies are loaded, and their analysis ends in time', async () => {
    const large = atlas({ atlas_id: 'com.example.wide', actions: actions(300), policies: policies(400) });
    const loaded = await watched(() => post('/v1/atlases', large));
    expect(loaded.answer.status).toBe(201);
    expect(loaded.longest).toBeLessThan(BUSY);
    const analysis = await watched(async () => {
      const response = await server.fetch('/v1/atlases/com.example.wide/analysis');
      return { status: response.status, body: await response.json() };
    });
    expect([200, 422]).toContain(analysis.answer.status);
    expect(analysis.longest).toBeLessThan(BUSY);
  });

  it.each([
    ['^(a+)+$', 'one'],
    ['^(a|a)*$', 'two'],
    ['(x+x+)+y', 'three'],
  ])('the pattern %s takes its time for no text', async (pattern, name) => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
    const id = `com.example.${name}`;
    const made = atlas({
      atlas_id: id,
      actions: [
        {
          action_id: `pat.${name}`,
          name: 'P',
          description: 'P',
          parameters_schema: schema,
          executor: 'echo',
        },
      ],
      policies: [{ policy_id: `allow-${name}`, type: 'allow', actions: [`pat.${name}`] }],
    });
    expect((await post('/v1/atlases', made)).status).toBe(201);
    const { answer, longest } = await watched(() =>
      execute(`pat.${name}`, { text: `${'a'.repeat(100_000)}!` }),
    );
    expect(answer.status).toBe(pattern.startsWith('^') || pattern.startsWith('(x') ? 400 : 200);
    expect(longest).toBeLessThan(BUSY);
  });

  async function execute(actionId: string, parameters: object) {
    const session = await post('/v1/sessions', { agent_id: 'owner', goal: 'test' });
    const sessionId = String(session.body.session_id);
    const request = (operation: string, more: object) => ({
      carp_version: '1.0',
      request_id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      operation,
      requester: { agent_id: 'owner', session_id: sessionId },
      ...more,
    });
    const resolved = await post(
      '/v1/resolve',
      request('resolve', { task: { goal: 'test', risk_tier: 'low' } }),
    );
    const resolutionId = (resolved.body as { resolution?: { resolution_id?: string } }).resolution
      ?.resolution_id;
    return post(
      '/v1/execute',
      request('execute', {
        execution: {
          resolution_id: resolutionId ?? resolved.body.resolution_id,
          action_id: actionId,
          parameters,
        },
      }),
    );
  }

  it('a deposit of 3.8 MB of words that nobody ever used', async () => {
    const { answer, longest, more } = await watched(() =>
      post('/v1/projects/default/packages', pack('words', words(3_800_000))),
    );
    expect(answer.status).toBe(201);
    expect(longest).toBeLessThan(BUSY);
    expect(more).toBeLessThan(64 * MEGABYTE);
  });
});
