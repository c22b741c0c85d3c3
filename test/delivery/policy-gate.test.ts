import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoConfig } from '../../src/slices/delivery/runs/demo-agent.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { followed, type Json } from './followed.ts';
import { type Governed, governedRepository } from './world.ts';

const GOAL = 'Begin to build';
const PROJECT = 'shop';

describe('a gate that acts only if policy allows it', () => {
  let server: TestServer;
  let governed: Governed;
  beforeEach(async () => {
    server = await startTestServer();
    const config = demoConfig(process.execPath) as Json;
    config.gates.planning_signoff.requires_resolution = GOAL;
    config.gates.planning_signoff.gate_actions = [{ run: 'echo acted >> acted.log' }];
    governed = await governedRepository(config);
    expect((await post('/v1/projects', { project_id: PROJECT, name: 'Shop' })).status).toBe(201);
    await baton('run', 'attach', '--project', PROJECT);
    await baton('run', 'start', '--all');
  });
  afterEach(async () => {
    await server.close();
    await governed.remove();
  });

  const { post, run, baton, open, items, allWaiting, waiting, decide, settled } = followed(() => ({
    server,
    governed,
  }));
  const acted = () => existsSync(join(governed.root, 'acted.log'));
  const phase = async () => (await open().snapshot()).state.phase;

  /** One action and one policy about it, in the run's own project: not the one that the credential defaults to. */
  async function loadAtlas(type: 'allow' | 'deny' | 'require_approval'): Promise<void> {
    const grant = { actor_id: 'law', actor_type: 'script', scopes: ['atlas:*'], projects: [PROJECT] };
    const { token } = (await (await post('/v1/keys', grant)).json()) as Json;
    const response = await fetch(`${server.url}/v1/atlases`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        atlas_version: '1.0',
        atlas_id: 'org.example.delivery',
        version: '1.0.0',
        name: 'Delivery',
        description: 'What runs may do',
        actions: [{ action_id: 'delivery.build', name: 'Build', description: GOAL }],
        policies: [{ policy_id: 'build', type, actions: ['delivery.build'] }],
      }),
    });
    expect({ status: response.status, body: await response.text() }).toMatchObject({ status: 201 });
  }

  it('acts when policy allows it, approved in the inbox', async () => {
    await loadAtlas('allow');
    const gate = await waiting();
    await decide(gate, 'approve');
    await settled(gate, 'applied');
    expect({ acted: acted(), phase: await phase() }).toEqual({ acted: true, phase: 'implementation' });
    expect(await items('open')).toEqual([]);
  });

  it('acts when policy allows it, approved on the command line', async () => {
    await loadAtlas('allow');
    expect(await baton('run', 'approve')).toMatchObject({ state: { phase: 'implementation' } });
    expect(acted()).toBe(true);
  });

  it('waits in the inbox, with its question, until a person has approved what policy asks about', async () => {
    await loadAtlas('require_approval');
    const gate = await waiting();
    await decide(gate, 'approve');
    await settled(gate, 'failed');
    expect({ acted: acted(), phase: await phase() }).toEqual({ acted: false, phase: 'planning' });

    const asked = await allWaiting(2);
    const [again, approval] = ['gate', 'carp_approval'].map((kind) =>
      asked.find((item) => item.kind === kind),
    );
    expect(again).toMatchObject({ digest: gate.digest, rule: gate.rule, title: gate.title });
    expect(approval).toMatchObject({ project_id: PROJECT, requested_by: { id: 'role:orchestrator' } });
    await decide(approval, 'approve');
    await decide(again, 'approve');
    await settled(again, 'applied');
    expect({ acted: acted(), phase: await phase() }).toEqual({ acted: true, phase: 'implementation' });
  });

  it('tells whoever approves on the command line to see to the approval first', async () => {
    await loadAtlas('require_approval');
    await waiting();
    const refused = await run('run', 'approve');
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('baton inbox') });
    const approval = (await allWaiting(2)).find(({ kind }) => kind === 'carp_approval');
    await decide(approval, 'approve');
    expect(await baton('run', 'approve')).toMatchObject({ state: { phase: 'implementation' } });
    expect(acted()).toBe(true);
  });

  it.each([
    ['denies it', 'deny'],
    ['says nothing about it', undefined],
  ] as const)('refuses when policy %s, and keeps asking', async (_says, type) => {
    if (type !== undefined) await loadAtlas(type);
    expect(await run('run', 'approve')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('resolution_required'),
    });
    const gate = await waiting();
    await decide(gate, 'approve');
    await settled(gate, 'failed');
    expect({ acted: acted(), phase: await phase() }).toEqual({ acted: false, phase: 'planning' });
    expect(await waiting()).toMatchObject({ kind: 'gate', digest: gate.digest });
  });
});
