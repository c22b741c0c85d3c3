/** `baton import claude-code|codex|gemini`: what clients have kept becomes packages, once. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { newRepository, PROJECT } from './workplace.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-import-')));
const env = { BATON_DATA: join(folder, 'data') };
let root: string;

const at = (second: number) => `2026-05-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

async function baton(...args: string[]): Promise<string> {
  const ran = await runBaton(args, { env, cwd: root });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout;
}
const imported = async (client: string, from: string) =>
  JSON.parse(await baton('import', client, '--folder', join(folder, from), '--json'));
const found = (query: string) => baton('search', query, '--project', PROJECT, '--json');

beforeAll(async () => {
  root = newRepository(folder);
  mkdirSync(env.BATON_DATA, { mode: 0o700 });
  await baton('projects', 'create', PROJECT);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the past of Claude Code', () => {
  const place = () => join(folder, 'claude', root.replaceAll(/[^A-Za-z0-9]/g, '-'));
  const said = (text: string, second: number) => ({
    type: 'user',
    sessionId: 'past-1',
    cwd: root,
    timestamp: at(second),
    message: { role: 'user', content: text },
  });

  it('is taken once, with outcomes, files and quoted words, and again only when it grew', async () => {
    mkdirSync(place(), { recursive: true });
    const file = join(place(), 'past-1.jsonl');
    const secret = `sk-ant-${'x9'.repeat(30)}`;
    writeFileSync(
      file,
      lines(
        { type: 'queue-operation', sessionId: 'past-1' },
        said(`Make the zeppelin pricing work with ${secret}. <private>Bob is slow</private>`, 1),
        said('<command-name>/clear</command-name>', 2),
        {
          type: 'assistant',
          sessionId: 'past-1',
          cwd: root,
          timestamp: at(3),
          message: {
            content: [
              { type: 'text', text: 'I will edit it.' },
              { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: join(root, 'zeppelin.ts') } },
              { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm test' } },
            ],
          },
        },
        {
          type: 'user',
          sessionId: 'past-1',
          cwd: root,
          timestamp: at(4),
          toolUseResult: {},
          message: {
            content: [
              { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
              { type: 'tool_result', tool_use_id: 't2', content: '2 failed', is_error: true },
            ],
          },
        },
      ).concat('{"half written'),
    );
    const elsewhere = join(folder, 'claude', '-somewhere-else');
    mkdirSync(elsewhere);
    writeFileSync(
      join(elsewhere, 'other.jsonl'),
      lines({ ...said('secret plans', 1), cwd: '/somewhere/else' }),
    );
    expect(await imported('claude-code', 'claude')).toMatchObject({ found: 1, new: 1, failed: [] });
    expect(await imported('claude-code', 'claude')).toMatchObject({ new: 0, unchanged: 1 });
    const { hits } = JSON.parse(await found('zeppelin pricing'));
    const text = await baton('packages', 'show', hits[0].id, '--json');
    expect(JSON.parse(text)).toMatchObject({
      package_type: 'auto_deposit',
      created_at: at(4),
      tags: ['past', 'claude-code'],
    });
    expect(text).toContain('zeppelin.ts');
    expect(text).toContain('npm test: failed (2 failed)');
    for (const word of [secret, 'Bob is slow', '/clear']) expect(text).not.toContain(word);
    appendFileSync(file, `\n${lines(said('And now the balloons', 9))}`);
    expect(await imported('claude-code', 'claude')).toMatchObject({ longer: 1 });
    const later = JSON.parse(await found('balloons')).hits[0].id;
    expect(JSON.parse(await baton('packages', 'show', later, '--json')).parent_package_id).toBe(hits[0].id);
  });

  it('of a large transcript takes the newest, without holding it all', async () => {
    const file = join(place(), 'past-2.jsonl');
    const filler = 'x'.repeat(64 * 1024);
    const megabytes = process.env.BATON_PROVE === '1' ? 100 : 6;
    writeFileSync(file, lines({ ...said('Count the herons', 1), sessionId: 'past-2' }));
    for (let written = 0; written < megabytes * 16; written += 1) {
      appendFileSync(file, lines({ ...said('', 2), sessionId: 'past-2', attachment: filler }));
    }
    appendFileSync(file, lines({ ...said('The last heron', 59), sessionId: 'past-2' }));
    expect(await imported('claude-code', 'claude')).toMatchObject({ new: 1, failed: [] });
    expect(JSON.parse(await found('last heron')).hits.length).toBeGreaterThan(0);
  });
});

describe('the past of Codex and Gemini CLI', () => {
  it('of Codex has commands with their outcome, and none of the client’s own words', async () => {
    mkdirSync(join(folder, 'codex', '2026', '05'), { recursive: true });
    const item = (second: number, payload: unknown) => ({
      timestamp: at(second),
      type: 'response_item',
      payload,
    });
    writeFileSync(
      join(folder, 'codex', '2026', '05', 'rollout-a.jsonl'),
      lines(
        { timestamp: at(0), type: 'session_meta', payload: { id: 'c-1', cwd: root } },
        item(1, {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x' }],
        }),
        item(2, {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Paint the submarine' }],
        }),
        item(3, {
          type: 'function_call',
          name: 'exec_command',
          arguments: '{"cmd":"make paint"}',
          call_id: 'k',
        }),
        item(4, {
          type: 'function_call_output',
          call_id: 'k',
          output: 'Process exited with code 2\nno paint',
        }),
        item(5, {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'There is no paint.' }],
        }),
      ),
    );
    expect(await imported('codex', 'codex')).toMatchObject({ new: 1, failed: [] });
    const [hit] = JSON.parse(await found('submarine')).hits;
    const text = await baton('packages', 'show', hit.id, '--json');
    expect(text).toContain('make paint: failed');
    expect(text).toContain('There is no paint.');
    expect(text).not.toContain('environment_context');
  });

  it('of Gemini CLI takes the last writing of each message, of this repository alone', async () => {
    const chats = join(folder, 'gemini', 'shop', 'chats');
    mkdirSync(chats, { recursive: true });
    const header = (of: string) => ({
      sessionId: `g-${of}`,
      projectHash: createHash('sha256').update(of).digest('hex'),
    });
    const call = {
      id: 'k',
      name: 'write_file',
      args: { file_path: 'tuba.ts' },
      status: 'success',
      result: 'ok',
    };
    // What the person is shown of a command says nothing of how it ended.
    const output =
      '<untrusted_context>\nOutput: out of tune\nExit Code: 3\nProcess Group PGID: 7\n</untrusted_context>';
    const failed = {
      id: 'l',
      name: 'run_shell_command',
      args: { command: 'tune --all' },
      status: 'success',
      result: [{ functionResponse: { name: 'run_shell_command', response: { output } } }],
      resultDisplay: 'out of tune',
    };
    writeFileSync(
      join(chats, 'session-1.jsonl'),
      lines(
        header(root),
        {
          id: 'm1',
          timestamp: at(1),
          type: 'user',
          content: [{ text: '<hook_context>x</hook_context>\n\nTune the tuba' }],
        },
        { id: 'm2', timestamp: at(2), type: 'gemini', content: 'wor' },
        { id: 'm2', timestamp: at(2), type: 'gemini', content: 'worked', toolCalls: [call, failed] },
      ),
    );
    writeFileSync(
      join(chats, 'session-2.jsonl'),
      lines(header('/elsewhere'), { id: 'm', type: 'user', content: 'no' }),
    );
    expect(await imported('gemini', 'gemini')).toMatchObject({ found: 2, new: 1, skipped: 1, failed: [] });
    const [hit] = JSON.parse(await found('tuba')).hits;
    const shown = await baton('packages', 'show', hit.id, '--json');
    for (const words of ['tuba.ts', 'tune --all', 'out of tune']) expect(shown).toContain(words);
    expect(shown).not.toContain('PGID');
  });
});

describe('the past of claude-mem', () => {
  it('is read from its store, session by session, of the folder’s project alone', async () => {
    mkdirSync(join(folder, 'mem'));
    const store = new DatabaseSync(join(folder, 'mem', 'claude-mem.db'));
    store.exec(`create table session_summaries (memory_session_id text, project text, request text, completed text,
      files_edited text, created_at text, created_at_epoch integer)`);
    store.exec(
      'create table observations (memory_session_id text, project text, type text, title text, files_modified text, created_at_epoch integer)',
    );
    const insert = store.prepare('insert into session_summaries values (?, ?, ?, ?, ?, ?, ?)');
    insert.run('m1', 'shop', 'Polish the trombone', 'It shines', '["trombone.ts"]', at(1), Date.parse(at(1)));
    insert.run('m2', 'other', 'Elsewhere', 'x', null, at(1), Date.parse(at(1)));
    store
      .prepare('insert into observations values (?, ?, ?, ?, ?, ?)')
      .run('m1', 'shop', 'decision', 'Use wax', null, Date.parse(at(2)));
    store.close();
    expect(await imported('claude-mem', 'mem')).toMatchObject({ found: 1, new: 1, failed: [] });
    expect(await imported('claude-mem', 'mem')).toMatchObject({ unchanged: 1 });
    const [hit] = JSON.parse(await found('trombone')).hits;
    const text = await baton('packages', 'show', hit.id, '--json');
    expect(text).toContain('It shines');
    expect(text).toContain('trombone.ts');
  });
});

describe('what was written down for agents', () => {
  it('is taken from the repository and from Claude Code’s memory, without secrets, each text once', async () => {
    const secret = `sk-ant-${'y7'.repeat(30)}`;
    writeFileSync(
      join(root, 'CLAUDE.md'),
      `# Rules\n\n- Always use tabs in the marzipan module.\n- Key ${secret}\n`,
    );
    writeFileSync(join(root, 'AGENTS.md'), `${'Long sentence on nougat. '.repeat(900)}\n`);
    writeFileSync(
      join(root, 'GEMINI.md'),
      `# Rules\n\n- Always use tabs in the marzipan module.\n- Key ${secret}\n`,
    );
    const memory = join(folder, 'claude-home', 'projects', root.replaceAll(/[^A-Za-z0-9]/g, '-'), 'memory');
    mkdirSync(memory, { recursive: true });
    writeFileSync(join(memory, 'MEMORY.md'), 'The praline server listens on port 7777.\n');
    const take = async () => {
      const ran = await runBaton(['import', 'notes', '--json'], {
        env: { ...env, CLAUDE_CONFIG_DIR: join(folder, 'claude-home') },
        cwd: root,
      });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return JSON.parse(ran.stdout);
    };
    expect(await take()).toMatchObject({ found: 4, new: 4, unchanged: 0, failed: [] });
    expect(await take()).toMatchObject({ found: 4, new: 0, unchanged: 4 });
    const shown = await found('marzipan');
    expect(shown).toContain('Always use tabs in the marzipan module');
    expect(shown).not.toContain(secret);
    expect(await found('praline')).toContain('7777');
  });
});
