import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SdkAgent, startSdkAgent } from './sdk-agent.ts';
import { eventually, type Governed, governedRepository } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Json = any;

const CONFIG = {
  schema_version: '1.0',
  project: { id: 'shop', name: 'Shop' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'proposed', runtime: 'peer' } },
  runtimes: { peer: { type: 'a2a', peer: 'builder' } },
  routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
};

/** What a model behind the peer would do: fill in the template that the prompt shows. */
function proposalFor(prompt: string): string {
  const named = (key: string) => new RegExp(`"${key}": "([^"]+)"`).exec(prompt)?.[1];
  return JSON.stringify({
    schema_version: '1.0',
    run_id: named('run_id'),
    turn_id: named('turn_id'),
    role: 'dev',
    runtime_id: 'peer',
    status: 'completed',
    summary: 'Proposed a greeter',
    decisions: [],
    objections: [],
    files_changed: [],
    proposed_changes: [{ path: 'src/greet.ts', action: 'create', content: 'export {};\n' }],
    verification: { status: 'skipped' },
    artifact: { type: 'patch' },
    proposed_next_role: 'human',
  });
}

describe('a run whose role works behind an A2A peer', () => {
  let server: TestServer;
  let governed: Governed;
  let agent: SdkAgent;
  beforeEach(async () => {
    server = await startTestServer();
    governed = await governedRepository(CONFIG);
    agent = await startSdkAgent(proposalFor);
  });
  afterEach(async () => {
    await agent.close();
    await server.close();
    await governed.remove();
  });

  const baton = (...args: string[]) =>
    runBaton([...args, '--dir', governed.root, '--json'], { env: { BATON_DATA: server.dataDir } });
  const post = (path: string, body: object) =>
    server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const get = async (path: string): Promise<Json> => (await server.fetch(path)).json();

  it('gets its turn result through the relay, which leaves spans in the collector', async () => {
    await baton('run', 'attach', '--project', 'default');
    expect((await post('/v1/relay/peers', { id: 'builder', url: agent.url })).status).toBe(201);
    await baton('run', 'start');
    const stepped = await baton('run', 'step');
    expect({ code: stepped.code, ...JSON.parse(stepped.stdout) }).toMatchObject({
      code: 0,
      outcome: 'accepted',
      message: null,
    });
    const { run_id: runId } = JSON.parse(stepped.stdout).state;
    expect(agent.heard).toEqual([expect.stringContaining('You are the role dev')]);
    const { items } = await eventually(
      () => get(`/v1/relay/spans?session_id=${runId}`),
      (seen: Json) => seen.items?.length >= 2,
    );
    const attributes = items.map((span: Json) => span.attributes);
    expect(attributes).toContainEqual(
      expect.objectContaining({
        'agent.id': 'role:dev',
        'o2r.peer.target': 'builder',
        'session.id': runId,
      }),
    );
    expect(new Set(items.map((span: Json) => span.trace_id)).size).toBe(1);
    expect(server.failures).toEqual([]);
  });

  it('is sent back with the reason when the peer is not known in the run’s project', async () => {
    await baton('run', 'attach', '--project', 'default');
    await baton('run', 'start');
    const stepped = await baton('run', 'step');
    expect({ code: stepped.code, ...JSON.parse(stepped.stdout) }).toMatchObject({
      code: 1,
      outcome: 'rejected',
      message: expect.stringContaining('builder'),
    });
  });

  it('says how to be attached when it is not attached to a project', async () => {
    await baton('run', 'start');
    expect(JSON.parse((await baton('run', 'step')).stdout)).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('is not attached to a project'),
    });
    expect(agent.heard).toEqual([]);
  });
});
