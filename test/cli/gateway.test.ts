import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary, runBaton } from '../setup/cli.ts';

const SMALL_SERVER = resolve(
  import.meta.dirname,
  '../../src/slices/governance/gateway/testing/small-server.mjs',
);

let folder: string;
let config: string;
let client: Client;
const env = () => ({ PATH: process.env.PATH ?? '', BATON_DATA: join(folder, 'data'), NO_COLOR: '1' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-gateway-'));
  config = join(folder, 'gateway.json');
  const policies = [
    { policy_id: 'read', type: 'allow', actions: ['notes.read.*'] },
    { policy_id: 'no-drop', type: 'deny', actions: ['notes.drop.*'], parameters: { reason: 'Notes stay' } },
    { policy_id: 'ask', type: 'require_approval', actions: ['notes.become'] },
  ];
  const servers = { notes: { command: process.execPath, args: [SMALL_SERVER] } };
  const file = { agent_id: 'editor', goal: 'Keep notes', servers, policies, approval_wait_seconds: 1 };
  await writeFile(config, JSON.stringify(file));
  client = new Client({ name: 'editor', version: '1' });
  const args = [await batonBinary(), 'gateway', '--config', config];
  const { token } = await baton('keys', 'create', 'editor', '--actor-type', 'agent');
  const asAgent = { ...env(), BATON_TOKEN: token };
  const loaded = await runBaton(['gateway', '--config', config, '--load'], { env: env() });
  expect(loaded.stdout).toContain('dev.baton.gateway.editor is loaded');
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: asAgent }));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

async function call(name: string, args: Record<string, unknown> = {}) {
  const { isError, content } = await client.callTool({ name, arguments: args });
  return { isError: isError ?? false, text: (content as { text: string }[])[0]?.text };
}

async function baton(...args: string[]) {
  const { stdout } = await runBaton([...args, '--json'], { env: env() });
  return JSON.parse(stdout);
}

describe('baton gateway, between an MCP client and an MCP server', () => {
  it('lists no tool that policy denies', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('notes_drop_note');
    expect(tools.map(({ name }) => name)).toContain('notes_read_note');
  });

  it('runs what is allowed and refuses what is not, with the reason', async () => {
    expect(await call('notes_read_note', { id: 'a' })).toEqual({ isError: false, text: 'first note' });
    expect(await call('notes_drop_note')).toMatchObject({
      isError: true,
      text: expect.stringContaining('Notes stay'),
    });
    expect(await call('notes_read_note', { id: 'a' })).toMatchObject({ text: 'first note' });
  });

  it('waits for a person, who decides from another process on the same store', async () => {
    expect(await call('notes_become')).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nobody has answered; this is not a refusal.'),
    });
    const [waiting] = (await baton('approvals', 'list')).items;
    await baton('approvals', 'approve', waiting.approval_id);
    expect(await call('notes_become')).toEqual({ isError: false, text: 'done' });
  });

  it('leaves a trace that holds together', async () => {
    const [session] = (await baton('carp', 'sessions')).items;
    expect(await baton('trace', 'check', session.session_id)).toMatchObject({ valid: true });
    const { actions } = await baton('trace', 'state', session.session_id);
    expect(JSON.stringify(actions)).toContain('notes.read.note');
  });
});

describe('baton gateway without a usable file', () => {
  it.each([
    ['that is missing', undefined],
    ['that is no JSON', '{'],
    ['that lacks what it needs', '{"agent_id":"editor"}'],
  ])('refuses one %s in two lines', async (_, text) => {
    const file = join(folder, 'other.json');
    await rm(file, { force: true });
    if (text !== undefined) await writeFile(file, text);
    const { code, stderr } = await runBaton(['gateway', '--config', file], { env: env() });
    expect({ code, lines: stderr.split('\n').filter(Boolean).length }).toEqual({ code: 2, lines: 2 });
  });
});
