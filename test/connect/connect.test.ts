import { chmod, lstat, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editors } from '../../src/faces/cli/connect/editors.ts';
import type { Places } from '../../src/faces/cli/connect/places.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

// One machine for all: its store is made once. Every test has an editor of its own.
let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
});
afterAll(() => place.leave());

function places(): Places {
  return {
    home: place.home,
    project: place.project,
    platform: process.platform,
    config: undefined,
    path: [],
  };
}

function fileOf(name: string): string {
  const editor = editors.find((known) => known.name === name)!;
  const [file] = editor.projectFiles ?? [];
  return file ? join(place.project, file) : editor.userFile(places());
}

function entryIn(name: string, text: string) {
  const editor = editors.find((known) => known.name === name)!;
  const { command, args } = editor.format.read(text, editor.section)!;
  return { command, args: [...args] };
}

async function connected(...args: string[]) {
  const { code, stdout, stderr } = await place.baton('connect', ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

async function keys() {
  return JSON.parse((await place.baton('keys', 'list', '--json')).stdout).keys as Record<string, unknown>[];
}

async function liveKeysOf(actor: string) {
  return (await keys()).filter(({ actor_id, revoked_at }) => actor_id === actor && revoked_at === null);
}

const textOf = (answer: Awaited<ReturnType<Client['callTool']>>) =>
  (answer.content as { text: string }[])[0]!.text;

/** What each editor's user had before: with comments where the form has them. */
const EXISTING: Readonly<Record<string, string>> = {
  'claude-code': '{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["files"] }\n  }\n}\n',
  cursor: '{\n\t"mcpServers": {}\n}\n',
  codex: '# mine\nmodel = "o5"\n\n[mcp_servers.files]\ncommand = "npx" # keep\n',
  vscode:
    '{\n  // asked for once\n  "inputs": [],\n  "servers": {\n    "x": { "type": "http", "url": "https://x" },\n  },\n}\n',
  gemini:
    '{\n  "theme": "Dark", // of course\n  "mcpServers": { "files": { "command": "npx", "args": [] } }\n}\n',
  opencode: '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": {}\n}\n',
  windsurf: '{"mcpServers":{"files":{"command":"npx","args":[]}}}',
  zed: '// Zed settings\n{\n  "vim_mode": true,\n  /* servers below */\n  "context_servers": {\n    "x": { "command": "x", "args": [] }\n  }\n}\n',
};

describe.each(editors.map(({ name }) => name))('baton connect %s', (name) => {
  it('merges into the file of the user, once, and gives it back to the byte', async () => {
    const before = EXISTING[name]!;
    await place.write(fileOf(name), before);
    const first = await connected(name);
    expect(first).toMatchObject({
      connection: `${name}@default`,
      actor_id: name,
      project: 'default',
      files: [fileOf(name)],
    });
    expect(first.tools).toBeGreaterThan(5);
    const merged = (await place.read(fileOf(name)))!;
    expect(merged).not.toMatch(/baton_[0-9a-f]{16}_/);
    expect(entryIn(name, merged).args).toContain(`${name}@default`);
    for (const comment of before.match(/\/\/ [^"\n]+|\/\*.*?\*\/|# \w+/g) ?? []) {
      expect(merged).toContain(comment);
    }
    const again = await connected(name);
    expect(await place.read(fileOf(name))).toBe(merged);
    expect(again).toMatchObject({ key_id: first.key_id, written: [] });
    const ended = await place.baton('disconnect', name, '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ revoked: [first.key_id], files: [fileOf(name)] });
    expect(await place.read(fileOf(name))).toBe(before);
    await place.remove(fileOf(name));
  });
});

describe('a connection', () => {
  it('lets the next session know what the last one did', async () => {
    await connected('claude-code');
    const entry = entryIn('claude-code', (await place.read(fileOf('claude-code')))!);
    const first = await place.startServer(entry);
    const deposited = await first.callTool({
      name: 'context',
      arguments: {
        action: 'deposit',
        title: 'Moved the parser behind a port',
        decisions_made: ['Errors carry a pointer'],
        open_questions: ['Does the importer need the old order?'],
        handoff_note: 'Go on with the importer.',
      },
    });
    expect(deposited.isError).toBeFalsy();
    expect(JSON.parse(textOf(deposited)).created_by).toMatchObject({ id: 'claude-code', type: 'agent' });
    await first.close();

    const second = await place.startServer(entry);
    const briefing = textOf(await second.callTool({ name: 'context', arguments: { action: 'orient' } }));
    expect(briefing).toContain('Moved the parser behind a port');
    expect(briefing).toContain('Does the importer need the old order?');
    expect(briefing).toContain('Go on with the importer.');
    await second.close();
  });

  it('is an agent of one project that cannot decide, and its key is kept from others', async () => {
    const { key_id } = await connected('vscode');
    const key = (await keys()).find((listed) => listed.key_id === key_id);
    expect(key).toMatchObject({
      actor_type: 'agent',
      projects: ['default'],
      label: 'connection vscode@default',
    });
    expect(key?.scopes).not.toContain('inbox:decide');
    const record = join(place.home, '.baton', 'connections', 'vscode%40default.json');
    expect((await stat(record)).mode & 0o777).toBe(0o600);
    await place.baton('keys', 'revoke', key_id);
    expect((await connected('vscode')).key_id).not.toBe(key_id);
  });

  it('keeps the permissions of the file, and follows a link to it', async () => {
    const real = join(place.home, 'dotfiles', 'mcp.json');
    await place.write(real, '{}');
    await chmod(real, 0o640);
    await place.write(join(place.project, '.cursor', 'keep'), '');
    await symlink(real, fileOf('cursor'));
    await connected('cursor');
    expect((await lstat(fileOf('cursor'))).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(await place.read(real)).toContain('cursor@default');
  });

  it('shows the diff of a dry run and writes nothing', async () => {
    const { code, stdout } = await place.baton('connect', 'gemini', '--instructions', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('+   "mcpServers": {');
    expect(stdout).toContain('+ ## Baton');
    expect(await place.read(fileOf('gemini'))).toBeUndefined();
    expect(await liveKeysOf('gemini')).toEqual([]);
  });

  it('writes the instructions once where they are asked for, and takes them back', async () => {
    await place.write(join(place.project, 'AGENTS.md'), '# House rules\n');
    await connected('zed', '--instructions');
    await connected('zed', '--instructions');
    const text = (await place.read(join(place.project, 'AGENTS.md')))!;
    expect(text.match(/baton:begin/g)).toHaveLength(1);
    expect(text.startsWith('# House rules\n')).toBe(true);
    await place.baton('disconnect', 'zed');
    expect(await place.read(join(place.project, 'AGENTS.md'))).toBe('# House rules\n');
    expect(await place.read(fileOf('zed'))).toBeUndefined();
  });

  it("goes into the user's file when asked", async () => {
    await place.write(join(place.home, '.claude.json'), '{"numStartups": 7}');
    await connected('claude-code', '--global');
    const text = JSON.parse((await place.read(join(place.home, '.claude.json')))!);
    expect(text).toMatchObject({ numStartups: 7, mcpServers: { baton: { type: 'stdio' } } });
    await place.baton('disconnect', 'claude-code');
    expect(await place.read(join(place.home, '.claude.json'))).toBe('{"numStartups": 7}');
    expect(await place.read(fileOf('claude-code'))).toBeUndefined();
  });

  it('prints a block that works for any other client', async () => {
    const { code, stdout } = await place.baton('connect', 'my-agent', '--print');
    expect(code).toBe(0);
    const client = await place.startServer(JSON.parse(stdout).mcpServers.baton);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
    expect((await place.baton('disconnect', 'my-agent')).code).toBe(0);
    expect((await keys()).find(({ actor_id }) => actor_id === 'my-agent')?.revoked_at).not.toBeNull();
  });

  it('is listed with its files', async () => {
    await connected('zed');
    const { stdout } = await place.baton('connect', '--list', '--json');
    const listed = JSON.parse(stdout);
    expect(listed.editors.map(({ editor }: { editor: string }) => editor)).toEqual(
      editors.map(({ name }) => name),
    );
    expect(listed.connections).toContainEqual(
      expect.objectContaining({ connection: 'zed@default', files: [fileOf('zed')] }),
    );
    expect(stdout).not.toMatch(/baton_[0-9a-f]{16}_/);
  });

  it('says in three lines what comes next', async () => {
    const { stdout } = await place.baton('connect', 'codex');
    expect(stdout.slice(stdout.indexOf('Next:')).trim().split('\n')).toHaveLength(4);
    expect(stdout).toContain('orient answered');
  });

  it('makes no key when the file cannot be edited safely', async () => {
    await place.write(fileOf('windsurf'), '{ "mcpServers": ');
    const { code, stderr } = await place.baton('connect', 'windsurf');
    expect(code).toBe(2);
    expect(stderr).toContain('config_unusable');
    expect(await liveKeysOf('windsurf')).toEqual([]);
    expect(await place.read(fileOf('windsurf'))).toBe('{ "mcpServers": ');
  });

  it('refuses an editor that nobody knows, and one that was never connected', async () => {
    const unknown = await place.baton('connect', 'emacs');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('editor_unknown') });
    const never = await place.baton('disconnect', 'gemini');
    expect(never).toMatchObject({ code: 2, stderr: expect.stringContaining('connection_unknown') });
    const mcp = await place.baton('mcp', '--as', 'gemini@default');
    expect(mcp).toMatchObject({ code: 2, stderr: expect.stringContaining('connection_unknown') });
  });
});
