import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type Story, tellStory } from './scenario.ts';

interface Answer {
  readonly kind: string;
  readonly nodes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly steps: readonly { readonly type: string; readonly by: string; readonly event_id: string }[];
  }[];
  readonly links: readonly { readonly from: number; readonly to: number; readonly as: string }[];
}

let server: TestServer;
let story: Story;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  story = await tellStory(server);
  folder = await mkdtemp(join(tmpdir(), 'baton-why-'));
  await server.client.call('memory.profile.create', { display_name: 'Ada', template: 'propose_only' });
  await server.client.call('memory.policy.put', {
    agentPattern: 'did:a2p:agent:local:*',
    permissions: ['read_scoped', 'propose'],
    allow: ['a2p:preferences.*'],
    priority: 10,
  } as never);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (id: string, client = server.client) => client.call('why.explain', { id }) as Promise<Answer>;
const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: server.dataDir } });

/** `package → execution: cites`, for every link. */
function told({ nodes, links }: Answer): string[] {
  return links.map(({ from, to, as }) => `${nodes[from]?.kind} → ${nodes[to]?.kind}: ${as}`);
}

const nodeOf = ({ nodes }: Answer, kind: string) => nodes.find((node) => node.kind === kind);

describe('why', () => {
  it('goes from a package back to the action, the rule, the person and what the agent knew', async () => {
    const answer = await ask(story.lastPackage);
    expect(told(answer)).toEqual(
      expect.arrayContaining([
        'package → execution: cites',
        'execution → item: approval',
        'execution → atlas: atlas',
        'execution → request: request',
        'request → policy: rule',
        'request → resolution: resolution',
        'item → policy: rule',
        'execution → reading: knew',
        'reading → package: knew',
        'reading → fact: knew',
      ]),
    );
    expect(nodeOf(answer, 'policy')?.id).toBe('ask-first');
    expect(nodeOf(answer, 'atlas')).toMatchObject({ id: 'com.example.shop@1.0.0', steps: [{ by: 'owner' }] });
    expect(nodeOf(answer, 'item')?.steps).toMatchObject([
      { type: 'inbox.opened', by: 'builder' },
      { type: 'inbox.decided', by: 'alice' },
      { type: 'approval.granted' },
      { type: 'inbox.applied' },
      { type: 'approval.spent' },
    ]);
  });

  it.each([
    ['fact', () => story.fact],
    ['package', () => story.firstPackage],
    ['resolution', () => story.resolution],
    ['execution', () => story.execution],
    ['item', () => story.approval],
    ['session', () => story.session],
  ])('explains a %s by its id', async (kind, id) => {
    const answer = await ask(id());
    expect(answer.kind).toBe(kind);
    expect(answer.nodes[0]?.steps.length).toBeGreaterThan(0);
  });

  it('explains an event of the journal, and learns of a fact from the package it came from', async () => {
    const fact = await ask(story.fact);
    expect(told(fact)).toContain('fact → package: source');
    const event = await ask(fact.nodes[0]!.steps[0]!.event_id);
    expect(event.kind).toBe('event');
    expect(told(event)).toContain('event → fact: about');
  });

  it('names memories by their ids and never by what they say', async () => {
    const added = await server.client.call('memory.add', {
      content: 'Prefers prices without cents',
      category: 'a2p:preferences.communication',
      memory_type: 'semantic',
    });
    const agent = createClient({ url: server.url, token: story.agentToken });
    await agent.call('memory.recall', { query: 'prices' });
    const { package_id } = await agent.call('packages.write', { title: 'Rounded the prices' });
    const answer = await ask(package_id);
    const memory = nodeOf(answer, 'memory');
    expect(JSON.stringify(added)).toContain(memory?.id);
    expect(memory?.steps).toMatchObject([{ type: 'memory.created' }]);
    expect(JSON.stringify(answer)).not.toContain('without cents');
  });

  it('goes from a memory back to the agent that proposed it and the person who approved', async () => {
    const agent = createClient({ url: server.url, token: story.agentToken });
    const proposed = (await agent.call('memory.propose', {
      content: 'Rounds down, never up',
      category: 'a2p:preferences.communication',
      memory_type: 'semantic',
    } as never)) as Record<string, unknown>;
    const proposal = String(proposed.proposalId ?? proposed.proposal_id ?? proposed.id);
    await server.client.call('memory.proposals.review', { id: proposal, action: 'approve' } as never);
    const [first] = (await ask(proposal)).nodes;
    expect(first).toMatchObject({
      kind: 'memory_proposal',
      steps: [{ type: 'memory.proposed', by: 'builder' }],
    });
    const page = await server.client.call('journal.changes', { types: ['memory.proposal_approved'] });
    const { payload } = page.events[0]!.event as unknown as { payload: { memoryId: string } };
    const kept = await ask(payload.memoryId);
    expect(kept.kind).toBe('memory');
    expect(told(kept)).toEqual(
      expect.arrayContaining(['memory → memory_proposal: proposal', 'memory_proposal → item: approval']),
    );
    expect(nodeOf(kept, 'item')?.steps.map(({ type, by }) => `${type} ${by}`)).toContain(
      'inbox.decided owner',
    );
    expect(JSON.stringify(kept)).not.toContain('Rounds down');
  });

  it('says of a draft no more than that it is there', async () => {
    const agent = createClient({ url: server.url, token: story.agentToken });
    const draft = await agent.call('packages.write', {
      title: 'Not yet',
      status: 'draft',
      decisions_made: [`Maybe undo ${story.execution}`],
    });
    expect(told(await ask(draft.package_id))).not.toContain('package → execution: cites');
  });

  it('does not know the ids of another project, and needs its scope', async () => {
    await server.client.call('projects.create', { project_id: 'elsewhere', name: 'Elsewhere' } as never);
    const key = async (body: object) =>
      createClient({
        url: server.url,
        token: (await server.client.call('keys.create', { actor_type: 'agent', ...body } as never)).token!,
      });
    const stranger = await key({ actor_id: 'stranger', projects: ['elsewhere'] });
    for (const id of [story.lastPackage, story.execution, story.approval, story.fact]) {
      await expect(ask(id, stranger)).rejects.toMatchObject({ status: 404, code: 'nothing_known' });
    }
    await expect(
      stranger.call('why.explain', { id: story.execution, project: 'default' }),
    ).rejects.toMatchObject({ status: 404 });
    const narrow = await key({ actor_id: 'narrow', scopes: ['packages:read'] });
    await expect(ask(story.lastPackage, narrow)).rejects.toMatchObject({ status: 403 });
  });

  it('answers an agent over MCP', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${story.agentToken}` } },
      }),
    );
    const answer = await client.callTool({
      name: 'journal',
      arguments: { action: 'why', id: story.execution },
    });
    const [first] = answer.content as { text: string }[];
    expect(nodeOf(JSON.parse(first!.text), 'policy')?.id).toBe('ask-first');
    await client.close();
  });

  it('prints the chain as a tree', async () => {
    const { code, stdout } = await baton('why', story.lastPackage);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`package ${story.lastPackage}`);
    expect(stdout).toMatch(/├─ ← cites execution /);
    expect(stdout).toMatch(/│ {2}├─ ← approved in item /);
    expect(stdout).toMatch(/decided: approve, known by key, alice .* leaf \d+ [0-9a-f]{12}/);
    expect(stdout).toMatch(/← decided by policy ask-first/);
    expect(stdout).toMatch(/← under atlas com\.example\.shop@1\.0\.0/);
    expect(stdout).toMatch(/was handed an orient bundle of 1 packages and 1 facts, builder/);
    expect(await baton('why', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing_known'),
    });
  });

  it('writes one file that proves every step offline, and names the step that was changed', async () => {
    const file = join(folder, 'why.json');
    expect((await baton('why', story.lastPackage, '--proof', file)).code).toBe(0);
    const offline = { env: { BATON_DATA: join(folder, 'nowhere'), BATON_URL: 'http://127.0.0.1:9' } };
    const check = async (path: string) => runBaton(['why', '--check', path], offline);
    expect(await check(file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid: all \d+ steps/),
    });
    const text = await readFile(file, 'utf8');
    const forged = join(folder, 'forged.json');
    await writeFile(forged, text.replace('"decided_by":"alice"', '"decided_by":"malice"'));
    const refused = await check(forged);
    expect(refused.code).toBe(6);
    expect(refused.stdout).toMatch(/^not valid at inbox\.decided, leaf \d+: /);
  });
});
