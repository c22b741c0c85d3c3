/** `baton hook` as clients run it: the built program, a real server, the embedded store, and everything broken. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opencodePlugin } from '../../src/faces/cli/connect/opencode-plugin.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { newRepository, PROJECT, rules } from './workplace.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-hook-program-'));
const data = join(folder, 'data');
const record = join(data, 'connections', `${encodeURIComponent(`claude-code@${PROJECT}`)}.json`);
let root: string;
let token: string;
let digest: string;

const baton = async (...args: string[]) => {
  const ran = await runBaton(args, { env: { HOME: folder, BATON_DATA: data } });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout;
};

function connect(over: Record<string, unknown> = {}): void {
  const connection = {
    name: `claude-code@${PROJECT}`,
    project: PROJECT,
    token,
    repositories: [root],
    ...over,
  };
  mkdirSync(join(data, 'connections'), { recursive: true });
  writeFileSync(record, JSON.stringify(connection));
}

/** What the hook wrote, as JSON; it must never fail. */
async function hook(message: Record<string, unknown> | string, env: Record<string, string> = {}) {
  const input =
    typeof message === 'string' ? message : JSON.stringify({ session_id: 'p-1', cwd: root, ...message });
  const ran = await runBaton(['hook', 'claude-code'], {
    env: { HOME: folder, BATON_DATA: data, BATON_HOOK_WAIT: '0', ...env },
    input,
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout === '' ? undefined : JSON.parse(ran.stdout);
}

const start = { hook_event_name: 'SessionStart', source: 'startup' };
const bash = (command: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: `call ${command}`,
});
const forced = bash('git push --force');
const decided = (answer: { hookSpecificOutput?: { permissionDecision?: string } } | undefined) =>
  answer?.hookSpecificOutput?.permissionDecision;
const log = () => (existsSync(join(data, 'hooks.log')) ? readFileSync(join(data, 'hooks.log'), 'utf8') : '');

beforeAll(async () => {
  root = newRepository(folder);
  mkdirSync(data, { mode: 0o700 });
  await baton('projects', 'create', PROJECT);
  const key = await baton(
    'keys',
    'create',
    'claude-code',
    '--actor-type',
    'agent',
    '--projects',
    PROJECT,
    '--default-project',
    PROJECT,
    '--json',
  );
  token = JSON.parse(key).token;
  mkdirSync(join(root, '.baton', 'atlas'));
  writeFileSync(join(root, '.baton', 'atlas', 'atlas.json'), JSON.stringify(rules().manifest));
  const loaded = await baton(
    'atlas',
    'load',
    join(root, '.baton', 'atlas', 'atlas.json'),
    '--project',
    PROJECT,
    '--json',
  );
  digest = JSON.parse(loaded).digest;
  connect();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('on the embedded store', () => {
  it('judges scripts that the session wrote as if it had typed them, and no older ones', async () => {
    const write = (name: string, text: string) => writeFileSync(join(root, name), text, { mode: 0o755 });
    write('old.sh', '#!/bin/sh\ngit push --force\n');
    const session = { session_id: 'p-scripts' };
    await hook({ ...session, ...start });
    write('bare', 'git push --force\n');
    execFileSync('mkfifo', [join(root, 'pipe.sh')]);
    write('ship.sh', '#!/bin/sh\nset -e\ngit push --force\n');
    write(
      'package.json',
      JSON.stringify({ scripts: { preship: 'true', ship: 'sh old.sh', far: './ship.sh' } }),
    );
    for (const line of [
      'sh ship.sh',
      './ship.sh',
      './bare',
      'env A=1 bash -x ./ship.sh',
      'cd . && ./ship.sh | cat',
      'npm run far',
    ])
      expect([line, decided(await hook({ ...session, ...bash(line) }))]).toEqual([line, 'deny']);
    mkdirSync(join(root, 'far', 'away'), { recursive: true });
    write('far/away/ship.sh', 'git push --force\n');
    write('far/away/Makefile', 'all:\n\tgit push --force\n');
    write('ship.py', `import subprocess\nsubprocess.run(['git', 'push', '--force'])\n`);
    write('tool', `#!/usr/bin/env python3\nimport os\nos.system('git push --force')\n`);
    for (const line of [
      'cd far/away && sh ship.sh',
      'cd far; cd away; ./ship.sh',
      'make -C far/away',
      'python3 ship.py',
      './tool',
    ])
      expect([line, decided(await hook({ ...session, ...bash(line) }))]).toEqual([line, 'deny']);
    const inFolder = { ...bash('sh ship.sh'), tool_input: { command: 'sh ship.sh', dir_path: 'far/away' } };
    expect(decided(await hook({ ...session, ...inFolder }))).toBe('deny');
    for (const line of [
      'sh pipe.sh',
      './old.sh',
      'cat ship.sh',
      'npm run preship',
      'make -C far',
      'cat tool',
    ])
      expect([line, await hook({ ...session, ...bash(line) })]).toEqual([line, undefined]);
  });

  it('orients, denies, records and deposits with git’s own account of the work', async () => {
    expect((await hook(start)).hookSpecificOutput.additionalContext).toContain('Orientation');
    expect(decided(await hook(forced))).toBe('deny');
    expect(await hook(bash('ls'))).toBeUndefined();
    writeFileSync(join(root, 'a b.ts'), 'one\ntwo\n');
    execFileSync('git', ['add', '.'], { cwd: root });
    execFileSync('git', ['commit', '-qm', 'Add a file'], { cwd: root });
    const written = {
      tool_name: 'Write',
      tool_input: { file_path: join(root, 'a b.ts'), content: 'x' },
      tool_use_id: 'w',
    };
    await hook({ ...written, hook_event_name: 'PostToolUse', tool_response: { success: true } });
    await hook({ hook_event_name: 'Stop', last_assistant_message: 'done' });
    const shown = await baton('orient', '--project', PROJECT);
    expect(shown).toContain('a b.ts');
    expect(shown).toContain('Add a file');
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    expect(await baton('why', head, '--project', PROJECT)).toContain('claude-code');
  });

  it('answers every event of a plugin in one process, and of a new one if that ends', async () => {
    const connection = JSON.parse(readFileSync(record, 'utf8'));
    const other = join(data, 'connections', `${encodeURIComponent(`opencode@${PROJECT}`)}.json`);
    writeFileSync(other, JSON.stringify({ ...connection, name: `opencode@${PROJECT}` }));
    const starts = join(folder, 'starts');
    const program = join(folder, 'counted.mjs');
    const binary = JSON.stringify(pathToFileURL(await batonBinary()).href);
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, process.pid + '\\n'); await import(${binary});`,
    );
    const file = join(folder, 'plugin.mjs');
    const words = [process.execPath, program, 'hook', 'opencode', '--data', data];
    writeFileSync(file, opencodePlugin(words, { asked: 60, other: 60 }));
    const { Baton } = await import(pathToFileURL(file).href);
    const plugin = await Baton({ directory: root });
    const call = (command: string) =>
      plugin['tool.execute.before'](
        { tool: 'bash', sessionID: 'o-1', callID: command },
        { args: { command } },
      );
    const system: string[] = [];
    await plugin['experimental.chat.system.transform']({ sessionID: 'o-1' }, { system });
    expect(system.join()).toContain('Orientation');
    await expect(call('git push --force')).rejects.toThrow('History is not rewritten');
    await Promise.all([call('ls'), call('pwd')]);
    const pids = () => readFileSync(starts, 'utf8').trim().split('\n').map(Number);
    expect(pids()).toHaveLength(1);
    process.kill(pids()[0]!);
    await expect
      .poll(() =>
        call('git push --force').then(
          () => 'ran',
          () => 'denied',
        ),
      )
      .toBe('denied');
    expect(pids()).toHaveLength(2);
    await plugin.dispose();
    rmSync(other);
  });

  it('never lets a private passage leave its process', async () => {
    const seen = await new Promise<string>((resolve) => {
      const server = createServer((socket) => {
        let text = '';
        socket.on('data', (piece) => {
          text += piece;
          if (text.includes('"place"')) {
            socket.destroy();
            server.close(() => resolve(text));
          }
        });
      });
      server.listen(0, '127.0.0.1', async () => {
        const { port } = server.address() as { port: number };
        connect({ url: `http://127.0.0.1:${port}` });
        await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'a <private>hunter2</private> b' });
      });
    });
    connect();
    expect(seen).toContain('a [private] b');
    expect(seen).not.toContain('hunter2');
  });

  it('takes what is only recorded over MCP, from a client that hands it to a tool, and shows no agent that tool', async () => {
    const agent = new Client({ name: 'claude-code', version: '1' });
    const args = [await batonBinary(), 'mcp', '--client', 'claude-code'];
    const env = { PATH: process.env.PATH ?? '', HOME: folder, BATON_DATA: data };
    await agent.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: root }));
    // Claude Code fills in what it has, as text: a member that is no text as JSON, and one that is missing as nothing.
    const told = (members: Record<string, unknown>) =>
      agent.callTool({
        name: 'hook',
        arguments: { client: 'claude-code', session_id: 'p-mcp', cwd: root, agent_id: '', ...members },
      });
    await hook({ ...start, session_id: 'p-mcp' });
    const answer = await told({
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: 'm1',
      tool_input: JSON.stringify({ command: 'make cembalo <private>hunter2</private>' }),
      error: 'Exit code 2\nno rule for cembalo',
    });
    expect(answer.content).toEqual([{ type: 'text', text: '' }]);
    await told({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: 'm2',
      tool_input: JSON.stringify({ file_path: join(root, 'cembalo.ts'), content: 'x' }),
      tool_response: JSON.stringify({ type: 'create' }),
    });
    for (const nothing of [{}, { hook_event_name: 'PostToolUse', session_id: '' }, { client: 'no one' }]) {
      expect((await told(nothing)).isError).not.toBe(true);
    }
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('hook');
    await agent.close();
    await hook({ hook_event_name: 'Stop', session_id: 'p-mcp', last_assistant_message: 'tuned' });
    const shown = await baton('orient', '--project', PROJECT);
    for (const words of ['make cembalo [private]', 'cembalo.ts']) expect(shown).toContain(words);
    expect(shown).not.toContain('hunter2');
    expect(log()).toContain('over MCP');
  });

  it('follows a link in the repository to where it leads', async () => {
    symlinkSync(join(root, '.baton'), join(root, 'innocent'));
    const through = { file_path: join(root, 'innocent', 'project.json'), content: '{}' };
    const write = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: through,
      tool_use_id: 'link',
    };
    expect(decided(await hook(write))).toBe('deny');
    expect(decided(await hook(bash('echo {} > innocent/project.json')))).toBe('deny');
    expect(decided(await hook(bash('cd innocent && echo {} > project.json')))).toBe('deny');
    mkdirSync(join(root, 'below'));
    symlinkSync(join(root, '.baton'), join(root, 'below', 'harmless'));
    expect(decided(await hook(bash('cd below && echo {} > harmless/project.json')))).toBe('deny');
  });

  it('decides what is huge as it decides what is small', async () => {
    const content = 'x'.repeat(12 * 1024 * 1024);
    const write = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_use_id: 'huge' };
    expect(
      decided(await hook({ ...write, tool_input: { file_path: join(root, '.baton', 'x'), content } })),
    ).toBe('deny');
    expect(await hook({ ...write, tool_input: { file_path: join(root, 'x'), content } })).toBeUndefined();
  });
});

describe('over a server', () => {
  it('does the same; what is only told arrives unawaited; and a server that dies leaves the pinned rules', async () => {
    const server: KillableServer = await startKillableServer(data);
    try {
      expect(decided(await hook(forced))).toBe('deny');
      const edited = {
        tool_name: 'Write',
        tool_input: { file_path: join(root, 'told.ts') },
        tool_use_id: 'told',
      };
      expect(await hook({ ...edited, hook_event_name: 'PostToolUse', tool_response: {} })).toBeUndefined();
      const get = async (path: string) => {
        const answer = await fetch(`${server.url}${path}`, {
          headers: { authorization: `Bearer ${server.token}` },
        });
        return answer.json();
      };
      const files = async () => {
        const { sessions } = (await get(`/v1/projects/${PROJECT}/live`)) as {
          sessions: { files: string[] }[];
        };
        return sessions.flatMap((session) => session.files);
      };
      await expect.poll(files).toContain('told.ts');
      connect({ atlas: { id: 'local.shop', version: '1.0.0', digest, mode: 'enforce' } });
      const alone = { CLAUDE_CODE_SESSION_ATTENDED: '0', BATON_HOOK_WAIT: '60' };
      const held = hook(bash('git push'), alone);
      const open = async () => ((await get('/v1/inbox?state=open')) as { items: unknown[] }).items.length;
      await expect.poll(open).toBe(1);
      await server.kill();
      expect(decided(await held)).toBe('deny');
      expect((await held).hookSpecificOutput.permissionDecisionReason).toContain('cannot be reached');
    } finally {
      await server.kill();
      connect();
    }
  });

  it('that cannot be reached, only rules that were loaded and enforce decide', async () => {
    const pinned = { id: 'local.shop', version: '1.0.0', digest, mode: 'enforce' };
    connect({ url: 'http://127.0.0.1:9', atlas: pinned });
    expect(decided(await hook(forced))).toBe('deny');
    expect(await hook(bash('ls'))).toBeUndefined();
    expect(await hook(start)).toBeUndefined();
    connect({ url: 'http://127.0.0.1:9', atlas: { ...pinned, mode: 'log_only' } });
    expect(await hook(forced)).toBeUndefined();
    connect({ url: 'http://127.0.0.1:9', atlas: { ...pinned, digest: 'other' } });
    expect(await hook(forced)).toBeUndefined();
    expect(log()).toContain('is not what was loaded');
    connect();
  });
});

describe('whatever an agent writes into a call', () => {
  const beside: Readonly<Record<string, string>> = {
    'half a character': '"description":"x \\ud800 y"',
    'half a character in a name': '"na\\ud800me":1',
    'half a character at the end of the command': '"command":"git push --force # \\ud800"',
    'a list that is nested without end': `"extra":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    'an object that is nested without end': `"extra":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    'more than a server reads': `"extra":[${Array.from({ length: 900 }, (_, at) => `["${at}${'y'.repeat(3_900)}","${'z'.repeat(3_900)}"]`).join()}]`,
    'thousands of members before it': Array.from({ length: 3_000 }, (_, at) => `"k${at}":${at}`).join(),
  };
  const message = (extra: string) => {
    const last = extra.startsWith('"command"') ? extra : `${extra},"command":"git push --force"`;
    return `{"session_id":"p-1","cwd":${JSON.stringify(root)},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"x","tool_input":{${last}}}`;
  };

  it('it is judged as any other', async () => {
    for (const [name, extra] of Object.entries(beside))
      expect([name, decided(await hook(message(extra)))]).toEqual([name, 'deny']);
    const server = await startKillableServer(data);
    try {
      for (const [name, extra] of Object.entries(beside))
        expect([name, decided(await hook(message(extra)))]).toEqual([name, 'deny']);
    } finally {
      await server.kill();
    }
  });

  it('a server that fails over it does not let it pass where rules enforce, and one that refuses for other reasons does', async () => {
    const answer = { status: 500 };
    const failing = createHttpServer((request, response) => {
      request.resume().on('end', () => response.writeHead(answer.status).end('{}'));
    });
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    const pinned = { id: 'local.shop', version: '1.0.0', digest, mode: 'enforce' };
    const unattended = { CLAUDE_CODE_SESSION_ATTENDED: '0' };
    try {
      connect({ url, atlas: pinned });
      expect(decided(await hook(forced))).toBe('deny');
      expect(await hook(bash('ls'))).toBeUndefined();
      connect({ url, atlas: { ...pinned, digest: 'other' } });
      expect(decided(await hook(bash('ls')))).toBe('ask');
      expect(decided(await hook(bash('ls'), unattended))).toBe('deny');
      expect(await hook(start)).toBeUndefined();
      for (answer.status of [401, 404, 503]) expect(await hook(bash('ls'))).toBeUndefined();
      answer.status = 500;
      connect({ url, atlas: { ...pinned, digest: 'other', mode: 'log_only' } });
      expect(await hook(forced)).toBeUndefined();
      connect({ url });
      expect(await hook(forced)).toBeUndefined();
    } finally {
      failing.closeAllConnections();
      failing.close();
      connect();
    }
  });
});

describe('whatever is broken', () => {
  it('the client goes on', async () => {
    expect(await hook('not json')).toBeUndefined();
    expect(await hook('[]')).toBeUndefined();
    expect(await hook('')).toBeUndefined();
    expect(await hook({ ...start, cwd: '/nowhere/at/all' })).toBeUndefined();
    expect(await hook({ ...start, cwd: 'relative' })).toBeUndefined();
    expect(await hook(start, { BATON_DATA: join(folder, 'no-data') })).toBeUndefined();
    writeFileSync(record, '{broken');
    expect(await hook(start)).toBeUndefined();
    connect({ token: 'baton_wrong' });
    expect(await hook(start)).toBeUndefined();
    connect({ databaseUrl: `sqlite:${join(folder, 'missing', 'x', 'baton.db')}` });
    expect(await hook(start)).toBeUndefined();
    connect();
    const unreadable = join(folder, 'broken');
    mkdirSync(unreadable, { mode: 0o700 });
    mkdirSync(join(unreadable, 'connections'));
    writeFileSync(join(unreadable, 'baton.db'), 'no database at all'.repeat(1000));
    writeFileSync(join(unreadable, 'connections', `claude-code%40${PROJECT}.json`), readFileSync(record));
    chmodSync(join(unreadable, 'baton.db'), 0o600);
    expect(await hook(start, { BATON_DATA: unreadable })).toBeUndefined();
  });

  it('a repository that nobody bound to the project is left alone, and so is one that was switched off', async () => {
    const hostile = join(folder, 'hostile');
    mkdirSync(join(hostile, '.baton'), { recursive: true });
    writeFileSync(join(hostile, '.baton', 'project.json'), JSON.stringify({ project: PROJECT }));
    expect(await hook({ ...start, cwd: hostile })).toBeUndefined();
    connect({ offIn: [root] });
    expect(await hook(start)).toBeUndefined();
    connect({ hooks: { enabled: false, prompts: true } });
    expect(await hook(forced)).toBeUndefined();
    connect({ repositories: undefined });
    expect(await hook(start)).toBeUndefined();
    connect();
    expect(await hook(start)).toBeDefined();
  });
});

describe('a bound repository stays guarded', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });

  it('without its project file, and in a folder of it that names another project', async () => {
    const file = join(root, '.baton', 'project.json');
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    expect(decided(await hook(forced))).toBe('deny');
    writeFileSync(file, text);
    const nested = join(root, 'vendored');
    mkdirSync(join(nested, '.baton'), { recursive: true });
    writeFileSync(join(nested, '.baton', 'project.json'), '{"project":"elsewhere"}');
    expect(decided(await hook({ ...forced, cwd: nested }))).toBe('deny');
  });

  it('where the agent has gone elsewhere, as long as the client was started here', async () => {
    expect(await hook({ ...forced, cwd: tmpdir() })).toBeUndefined();
    expect(decided(await hook({ ...forced, cwd: tmpdir() }, { CLAUDE_PROJECT_DIR: root }))).toBe('deny');
  });

  it('in its linked worktrees, but not in a folder that only claims to be one', async () => {
    const linked = join(folder, 'linked');
    git('commit', '-q', '--allow-empty', '-m', 'Something to check out');
    git('worktree', 'add', '-q', linked);
    expect(decided(await hook({ ...forced, cwd: linked }))).toBe('deny');
    const claiming = join(folder, 'claiming');
    mkdirSync(claiming);
    writeFileSync(join(claiming, '.git'), readFileSync(join(linked, '.git')));
    expect(await hook({ ...forced, cwd: claiming })).toBeUndefined();
    connect({ offIn: [root] });
    expect(await hook({ ...forced, cwd: linked })).toBeUndefined();
    connect();
  });
});
