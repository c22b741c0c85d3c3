import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

describe('baton memory import', () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), 'baton-import-'));
    await server.client.call('memory.profile.create', {});
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const baton = (...args: string[]) =>
    runBaton(['memory', 'import', ...args], { env: { BATON_DATA: server.dataDir } });
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const pending = async () =>
    (await server.client.call('memory.proposals.list', { status: 'pending', limit: 200 })).proposals;

  it('proposes what mem0 has kept, with when and under what it was kept', async () => {
    const results = [
      {
        id: 'a1',
        memory: 'Is allergic to nuts',
        created_at: '2025-06-01T10:00:00Z',
        categories: ['health'],
        user_id: 'ana',
      },
      { id: 'a2', memory: 'Always books aisle seats', metadata: { k: 1 } },
      { id: 'a3', memory: '\u200b' },
      { id: 'a4' },
    ];
    const path = await file('mem0.json', JSON.stringify({ results }));
    const { code, stdout, stderr } = await baton('--from', 'mem0', path, '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ proposed: 2, skipped: 0 });
    expect(await pending()).toMatchObject([
      {
        agentDid: 'did:a2p:agent:local:import-mem0',
        content: 'Is allergic to nuts',
        memory_type: 'semantic',
        confidence: 0.5,
        evidence: [{ type: 'external', timestamp: '2025-06-01T10:00:00Z' }],
      },
      { content: 'Always books aisle seats', memory_type: 'procedural' },
    ]);
    const { items } = await server.client.call('inbox.list', { kind: 'memory_proposal' });
    expect(items).toHaveLength(2);
  });

  it('does not ask twice: neither for what waits nor for what was answered', async () => {
    const [nuts, seats] = await pending();
    await server.client.call('memory.proposals.review', { id: nuts?.id as string, action: 'approve' });
    await server.client.call('memory.proposals.review', { id: seats?.id as string, action: 'reject' });
    const path = await file(
      'again.json',
      JSON.stringify([
        { memory: 'is allergic to NUTS' },
        { memory: 'Always books aisle seats.' },
        { memory: 'New' },
      ]),
    );
    const { stdout } = await baton('--from', 'mem0', path, '--json');
    expect(JSON.parse(stdout)).toEqual({ proposed: 1, skipped: 2 });
  });

  it('proposes each entry and paragraph of a folder of Markdown, saying where it stood', async () => {
    await mkdir(join(folder, 'notes', 'deep'), { recursive: true });
    await file(
      'notes/food.md',
      '---\ntags: x\n---\n# Food\n\n- Likes green tea\n- [x] Avoids sugar\n\n```\nnot this\n```\n',
    );
    await file('notes/deep/work.markdown', 'Works in distributed systems.\n');
    await file('notes/picture.png', 'no');
    const { code, stdout } = await baton('--from', 'markdown', join(folder, 'notes'), '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { proposed: 3, skipped: 0 }]);
    expect((await pending()).slice(-3)).toMatchObject([
      { content: 'Works in distributed systems.', context: 'Imported from deep/work.markdown' },
      { content: 'Likes green tea', context: 'Imported from food.md, under Food' },
      { content: 'Avoids sugar' },
    ]);
  });

  it('takes more than fits into one request', async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({ memory: `Knows the name of street ${at}` }));
    const { stdout } = await baton('--from', 'mem0', await file('many.json', JSON.stringify(many)), '--json');
    expect(JSON.parse(stdout)).toEqual({ proposed: 120, skipped: 0 });
  });

  it('brings in a whole a2p profile', async () => {
    const id = 'did:a2p:user:local:elsewhere';
    const profile = { id, memories: { 'a2p:semantic': [{ id: 'mem_1', content: 'x' }] } };
    const { code, stdout } = await baton(await file('profile.json', JSON.stringify(profile)), '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { did: id, memories: 1, proposals: 0, policies: 0 }]);
  });

  it.each([
    ['a file that is not there', ['--from', 'mem0', 'nowhere.json'], 'cannot be read'],
    ['a folder that is not there', ['--from', 'markdown', 'nowhere'], 'no folder'],
  ])('says what is wrong with %s', async (_, args, words) => {
    const { code, stderr } = await baton(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('says what is wrong with a file of another kind', async () => {
    const text = await baton('--from', 'mem0', await file('text.json', 'hello'));
    expect(text.stderr).toContain('is not JSON');
    const other = await baton('--from', 'mem0', await file('other.json', '{"a":1}'));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('not a mem0 export')]);
  });
});
