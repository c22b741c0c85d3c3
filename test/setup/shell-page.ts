import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AGENT_VARIABLES } from '../../src/app/agent-session.ts';
import { batonBinary } from './cli.ts';
import { homesIn } from './homes.ts';
import { startTestServer, type TestServer } from './server.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Shell {
  readonly server: TestServer;
  /** Where the commands are typed. */
  readonly folder: string;
  run(script: string): Promise<{ readonly code: number | null; readonly output: string }>;
  close(): Promise<void>;
}

/** A shell in an empty folder beside a running server, where `baton` is the checkout's own. */
export async function openShell(): Promise<Shell> {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), 'baton-page-'));
  const program = (name: string, ...words: string[]) => {
    const command = [process.execPath, ...words].map((word) => `"${word}"`).join(' ');
    return writeFile(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  };
  const standIn = join(import.meta.dirname, 'stand-in-client.mjs');
  await program('baton', await batonBinary());
  await program('claude', standIn, 'claude-code');
  await program('codex', standIn, 'codex');
  // Pages connect clients, and the tester's own files are not theirs to change.
  const home = join(folder, 'home');
  await mkdir(home);
  // A page is for people, and these tests may run in an agent's session.
  const own = Object.entries(process.env).filter(([name]) => !AGENT_VARIABLES.includes(name));
  const env = {
    ...Object.fromEntries(own),
    PATH: `${folder}:${process.env.PATH}`,
    ...homesIn(home),
    GIT_AUTHOR_NAME: 'Reader',
    GIT_AUTHOR_EMAIL: 'reader@example.com',
    GIT_COMMITTER_NAME: 'Reader',
    GIT_COMMITTER_EMAIL: 'reader@example.com',
    BATON_DATA: server.dataDir,
    NO_COLOR: '1',
  };
  return {
    server,
    folder,
    run: (script) =>
      new Promise((done) => {
        // A page names the port that a reader's server has.
        const here = script.replaceAll('http://127.0.0.1:7373', server.url);
        const child = spawn('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder, env });
        let output = '';
        const take = (text: Buffer) => {
          output += text;
        };
        child.stdout.on('data', take);
        child.stderr.on('data', take);
        child.on('close', (code) => done({ code, output }));
      }),
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The blocks that a reader types, in order: later ones may build on earlier ones. */
export async function shellBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
}
