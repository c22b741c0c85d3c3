import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { agentKey, call, overHttp, overStdio, textOf } from './clients.ts';

let server: TestServer;
let folder: string;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await agentKey(server, 'coder');
  folder = await mkdtemp(join(tmpdir(), 'baton-mcp-'));
  await server.client.call('atlas.load', {
    manifest: {
      atlas_version: '1.0',
      atlas_id: 'com.example.repo',
      version: '1.0.0',
      name: 'Repository',
      description: 'Rules of a repository',
      actions: [
        { action_id: 'git.push', name: 'Push', description: 'Pushes' },
        { action_id: 'git.wipe', name: 'Wipe', description: 'Wipes' },
        { action_id: 'git.status', name: 'Status', description: 'Shows' },
      ],
      policies: [
        { policy_id: 'reads', type: 'allow', actions: ['git.status', 'git.push'] },
        {
          policy_id: 'pushes',
          type: 'require_approval',
          actions: ['git.push'],
          parameters: { reason: 'Pushes are seen first' },
        },
        {
          policy_id: 'no-wiping',
          type: 'deny',
          actions: ['git.wipe'],
          parameters: { reason: 'History stays' },
        },
      ],
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const decide = async (id: string, decision: 'approve' | 'reject', note?: string, choice?: string) => {
  const item = await server.client.call('inbox.get', { id });
  return server.client.call('inbox.decide', {
    id,
    decision,
    digest: item.digest,
    ...(note !== undefined && { note }),
    ...(choice !== undefined && { choice }),
  });
};

async function depositedIn(client: Client, title: string) {
  const made = await call(client, 'deposit', { title });
  const { package_id } = made.structuredContent as { package_id: string };
  const stored = await server.client.call('packages.get', { package_id });
  return (stored as { created_by: { session_id: string | null } }).created_by.session_id;
}

describe('the session of a connection', () => {
  it.each([
    ['stdio', () => overStdio(server, { token })],
    ['HTTP', () => overHttp(server, token)],
  ])('is its own over %s, even with the same key, and its deposits carry it', async (_, connect) => {
    const [one, other] = [await connect(), await connect()];
    const callsign = async (client: Client) =>
      /callsign is \*\*([^*]+)\*\*/.exec(textOf(await call(client, 'orient')))?.[1];
    const names = [await callsign(one), await callsign(other), await callsign(one)];
    expect(names[0]).toBe(names[2]);
    expect(names[1]).not.toBe(names[0]);
    const first = await depositedIn(one, 'First');
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await depositedIn(other, 'Other')).not.toBe(first);
    expect(await depositedIn(one, 'Second')).toBe(first);
    await one.close();
    await other.close();
  });

  it('ends with the connection over stdio', async () => {
    const client = await overStdio(server, { token });
    const id = (await depositedIn(client, 'Last')) as string;
    await client.close();
    await expect
      .poll(async () => (await server.client.call('carp.session.get', { session_id: id })).status, {
        timeout: 20_000,
      })
      .toBe('ended');
  });
});

describe('orientation', () => {
  it('hands on what was decided together with the note', async () => {
    const client = await overHttp(server, token);
    const work = {
      title: 'Moved the cache',
      handoff_note: 'Turn it on',
      decisions_made: ['One pool, it is small'],
    };
    await call(client, 'deposit', work);
    const briefing = textOf(await call(client, 'orient'));
    expect(briefing).toMatch(/Handed over to you[\s\S]*Decided: One pool, it is small[\s\S]*Turn it on/);
    await client.close();
  });
});

describe('asking for permission', () => {
  it('answers in words: allowed, denied by whom and why, and what is not known', async () => {
    const client = await overHttp(server, token);
    const free = await call(client, 'may_i', { action: 'git.status' });
    expect(free.structuredContent).toMatchObject({ decision: 'allowed' });
    const wiped = await call(client, 'may_i', { action: 'git.wipe' });
    expect(wiped.structuredContent).toMatchObject({
      decision: 'denied',
      rule: 'no-wiping',
      reason: 'History stays',
    });
    expect(textOf(wiped)).toMatch(/^Denied by the rule no-wiping: History stays\. /);
    const unknown = await call(client, 'may_i', { action: 'rocket.launch' });
    expect(textOf(unknown)).toMatch(/no rule of this project knows .*Actions that you may ask about: git\./);
    await client.close();
  });

  it('asks a person with the exact parameters, waits for them, and is spent by one use', async () => {
    const client = await overHttp(server, token);
    const push = { action: 'git.push', parameters: { branch: 'main' } };
    const asked = await call(client, 'may_i', push);
    expect(asked.structuredContent).toMatchObject({ decision: 'needs_person', rule: 'pushes' });
    const [{ approval_id: id }] = (asked.structuredContent as { approvals: { approval_id: string }[] })
      .approvals as [{ approval_id: string }];
    const again = await call(client, 'may_i', push);
    expect((again.structuredContent as { approvals: unknown[] }).approvals).toMatchObject([
      { approval_id: id },
    ]);
    const waiting = call(client, 'may_i', { ...push, wait: 30 });
    await decide(id, 'approve');
    expect((await waiting).structuredContent).toMatchObject({ decision: 'allowed' });
    expect((await call(client, 'may_i', push)).structuredContent).toMatchObject({ decision: 'needs_person' });
    const other = await call(client, 'may_i', { ...push, parameters: { branch: 'other' } });
    expect(other.structuredContent).toMatchObject({ decision: 'needs_person' });
    await client.close();
  });

  it('tells of a no with its words, and does not ask again for the same', async () => {
    const client = await overHttp(server, token);
    const push = { action: 'git.push', parameters: { branch: 'release' } };
    const asked = await call(client, 'may_i', push);
    const { approvals } = asked.structuredContent as { approvals: { approval_id: string }[] };
    await decide(approvals[0]?.approval_id as string, 'reject', 'Not on a Friday');
    const after = await call(client, 'may_i', push);
    expect(after.structuredContent).toMatchObject({
      decision: 'denied',
      reason: 'Not on a Friday',
      approvals: [],
    });
    await client.close();
  });
});

describe('a question to a person', () => {
  it('waits in the inbox, is answered in words or by an option, and becomes part of the ledger', async () => {
    const client = await overHttp(server, token);
    const asked = await call(client, 'ask_person', {
      question: 'Which region do we deploy to first?',
      options: ['eu-west', 'us-east'],
    });
    const { question_id, item_id } = asked.structuredContent as { question_id: string; item_id: string };
    expect(asked.structuredContent).toMatchObject({ state: 'waiting' });
    await expect(decide(item_id, 'approve')).rejects.toMatchObject({ code: 'answer_missing' });
    const waiting = call(client, 'get_answer', { question_id, wait: 30 });
    await decide(item_id, 'approve', undefined, 'option-1');
    expect((await waiting).structuredContent).toMatchObject({
      state: 'answered',
      answer: 'eu-west',
      answered_by: 'owner',
    });
    const briefing = textOf(await call(client, 'orient'));
    expect(briefing).toContain('Decided: eu-west');
    expect(briefing).not.toMatch(/## Open questions[^#]*Which region/);
    await client.close();
  });

  it('may be declined, and is never answered by the agent itself', async () => {
    const client = await overHttp(server, token);
    const asked = await call(client, 'ask_person', { question: 'May I have the root password?' });
    const { question_id, item_id } = asked.structuredContent as { question_id: string; item_id: string };
    await decide(item_id, 'reject', 'Never');
    const read = await call(client, 'get_answer', { question_id });
    expect(read.structuredContent).toMatchObject({ state: 'declined', answer: 'Never' });
    await client.close();
  });
});

describe('files beside the process', () => {
  it('are read by their paths: anchored, or uploaded, and never from outside', async () => {
    const repository = join(folder, 'repository');
    await mkdir(join(repository, 'src'), { recursive: true });
    execFileSync('git', ['init', '-q', repository]);
    await writeFile(join(repository, 'src', 'pay.ts'), 'retry(3)\n');
    await writeFile(join(repository, 'report.md'), '# Report\n');
    await writeFile(join(folder, 'secret'), 'hunter2');
    await symlink(join(folder, 'secret'), join(repository, 'link'));
    const client = await overStdio(server, { token, cwd: join(repository, 'src') });
    const made = await call(client, 'deposit', {
      title: 'Retries three times',
      files: ['pay.ts', '../report.md'],
      deliverables: ['../report.md'],
    });
    const { package_id } = made.structuredContent as { package_id: string };
    const stored = await server.client.call('packages.get', { package_id });
    const blob = execFileSync('git', ['hash-object', join(repository, 'src', 'pay.ts')], {
      encoding: 'utf8',
    }).trim();
    expect(stored).toMatchObject({
      'x-anchors': [{ path: 'src/pay.ts', blob }, { path: 'report.md' }],
      deliverables: [{ path: 'report.md', size_bytes: 9 }],
    });
    const [{ hash }] = (stored as unknown as { deliverables: [{ hash: string }] }).deliverables;
    const kept = await server.fetch(`/v1/projects/default/blobs/${hash}`);
    expect(await kept.text()).toBe('# Report\n');
    for (const path of [
      '../../secret',
      join(folder, 'secret'),
      '../link',
      '/etc/passwd',
      '../.git/config',
      'none',
      '..',
    ]) {
      const refused = await call(client, 'deposit', { title: 'x', files: [path] });
      expect([path, textOf(refused)]).toEqual([path, expect.stringMatching(/^file_refused: /)]);
    }
    await client.close();
  });
});

describe('prompts', () => {
  it('are listed and filled with what is known', async () => {
    const client = await overHttp(server, token);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['orient', 'handover', 'changes', 'inbox']);
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name });
      expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
    }
    await expect(client.getPrompt({ name: 'toString' })).rejects.toThrow(/prompt_not_found/);
    await client.close();
  });
});

describe('what a client may assume of the tools', () => {
  it('follows from the declarations', async () => {
    const client = await overHttp(server, token, '/mcp?tools=all');
    const { tools } = await client.listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.orient).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(hints.search).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(hints.deposit).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    });
    expect(hints.journal).toMatchObject({ readOnlyHint: true });
    expect(hints.review).toMatchObject({ destructiveHint: true });
    expect(hints.relay).toMatchObject({ openWorldHint: true });
    for (const tool of tools) expect(tool.title, tool.name).toBeTruthy();
    await client.close();
  });
});
