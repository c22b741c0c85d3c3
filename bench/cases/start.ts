import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findServer } from '../../src/app/server-file.ts';
import type { BenchCase, Goal, Side } from '../harness.ts';

/** What the name `baton` stands for in an installed package. */
const BATON = resolve('dist/baton.cjs');
const ROUNDS = 25;

/** A process from its start to its end. */
function starting(args: readonly string[], env: NodeJS.ProcessEnv = {}): Side {
  return () => {
    const { status, stderr } = spawnSync(process.execPath, [...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return 1;
  };
}

function atMost(times: number, side: string): Goal {
  return {
    text: `${side} at most ${times} times node -e 0`,
    met: (rates) => rates['node -e 0']! / rates[side]! <= times,
  };
}

async function startServer(dataDir: string): Promise<ChildProcess> {
  const server = spawn(process.execPath, [BATON, 'up', '--port', '0'], {
    env: { PATH: process.env.PATH, BATON_DATA: dataDir, BATON_LOG: 'fatal' },
    stdio: 'ignore',
  });
  for (let waited = 0; findServer(dataDir)?.pid !== server.pid; waited += 50) {
    if (waited > 30_000) throw new Error('The server did not start.');
    await new Promise((done) => setTimeout(done, 50));
  }
  return server;
}

export const benchCase: BenchCase = {
  name: 'start',
  title: 'How long the command line takes to start',
  async prepare() {
    if (!existsSync(BATON)) throw new Error('Build first: npm run build');
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-start-'));
    const server = await startServer(dataDir);
    return {
      comparisons: [
        {
          title: 'One process, from start to end',
          unit: 'processes',
          rounds: ROUNDS,
          sides: {
            'baton --version': starting([BATON, '--version']),
            'baton whoami': starting([BATON, 'whoami'], { BATON_DATA: dataDir }),
            'baton --help': starting([BATON, '--help']),
            'node -e 0': starting(['-e', '0']),
          },
          goals: [atMost(1.5, 'baton --version'), atMost(2.5, 'baton whoami')],
        },
      ],
      async close() {
        const ended = new Promise((done) => server.once('exit', done));
        server.kill();
        await ended;
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};
