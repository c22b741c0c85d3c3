import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findServer } from '../../src/app/server-file.ts';
import type { BenchCase, Goal, Side } from '../harness.ts';

/** What the name `baton` stands for in an installed package. */
const BATON = resolve('dist/baton.cjs');
const ROUNDS = 25;
const ROUNDS_ON_STORE = 7;

function run(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    input,
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

const running =
  (args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Side =>
  () => {
    run(args, env, input);
    return 1;
  };

/** A data folder with a connection that is bound to a repository, as `baton init` leaves it. */
async function connected(name: string) {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), `baton-${name}-`)));
  const repository = join(folder, 'repository');
  const env = { HOME: folder, BATON_DATA: join(folder, 'data') };
  mkdirSync(join(repository, '.baton'), { recursive: true });
  writeFileSync(join(repository, '.baton', 'project.json'), '{"project":"default"}\n');
  const key = JSON.parse(
    run([BATON, 'keys', 'create', 'claude-code', '--actor-type', 'agent', '--json'], env),
  );
  mkdirSync(join(folder, 'data', 'connections'));
  for (const client of ['claude-code', 'opencode']) {
    const name = `${client}@default`;
    const record = { name, project: 'default', token: key.token, repositories: [repository] };
    const file = join(folder, 'data', 'connections', `${encodeURIComponent(name)}.json`);
    writeFileSync(file, JSON.stringify(record));
  }
  return { folder, repository, env };
}

async function startServer(env: {
  readonly HOME: string;
  readonly BATON_DATA: string;
}): Promise<ChildProcess> {
  const server = spawn(process.execPath, [BATON, 'up', '--port', '0'], {
    env: { PATH: process.env.PATH, ...env, BATON_LOG: 'fatal' },
    stdio: 'ignore',
  });
  for (let waited = 0; findServer(env.BATON_DATA)?.pid !== server.pid; waited += 50) {
    if (waited > 30_000) throw new Error('The server did not start.');
    await new Promise((done) => setTimeout(done, 50));
  }
  return server;
}

function before(repository: string): string {
  return JSON.stringify({
    session_id: 'bench',
    cwd: repository,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 'call',
  });
}

/** As a client's plugin does that keeps one process for its events. */
function keptProcess(env: NodeJS.ProcessEnv, repository: string) {
  const child = spawn(process.execPath, [BATON, 'hook', 'opencode', '--stay'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const event = {
    hook: 'tool.execute.before',
    session: 'kept',
    cwd: repository,
    input: { tool: 'bash', sessionID: 'kept', callID: 'call' },
    output: { args: { command: 'npm test' } },
  };
  const side: Side = async () => {
    child.stdin.write(`${JSON.stringify({ id: 1, message: event })}\n`);
    const { value } = await answers.next();
    if (JSON.parse(value ?? '{}').exit_code !== 0) throw new Error(`The kept hook answered ${value}`);
    return 1;
  };
  return { side, end: () => child.stdin.end() };
}

function atMost(times: number, side: string): Goal {
  return {
    text: `${side} at most ${times} times node -e 0`,
    met: (rates) => rates['node -e 0']! / rates[side]! <= times,
  };
}

export const benchCase: BenchCase = {
  name: 'hook',
  title: 'How long a hook keeps a coding agent waiting',
  async prepare() {
    if (!existsSync(BATON)) throw new Error('Build first: npm run build');
    const served = await connected('hook');
    const alone = await connected('hook-alone');
    const server = await startServer(served.env);
    const kept = keptProcess(served.env, served.repository);
    return {
      comparisons: [
        {
          title: 'Before a tool call, over a running server',
          unit: 'processes',
          rounds: ROUNDS,
          sides: {
            'a hook': running([BATON, 'hook', 'claude-code'], served.env, before(served.repository)),
            'node -e 0': running(['-e', '0']),
          },
          goals: [atMost(2, 'a hook')],
        },
        {
          title: 'The same from a plugin that keeps the process',
          unit: 'events',
          rounds: ROUNDS,
          sides: { 'an event': kept.side, 'node -e 0': running(['-e', '0']) },
          goals: [atMost(1, 'an event')],
        },
        {
          title: 'The same without a server, straight on the store',
          unit: 'processes',
          rounds: ROUNDS_ON_STORE,
          sides: {
            'a hook': running([BATON, 'hook', 'claude-code'], alone.env, before(alone.repository)),
            'node -e 0': running(['-e', '0']),
          },
          goals: [{ text: 'a hook at most 1 s', met: (rates) => rates['a hook']! >= 1 }],
        },
      ],
      async close() {
        kept.end();
        const ended = new Promise((done) => server.once('exit', done));
        server.kill();
        await ended;
        for (const { folder } of [served, alone]) await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
