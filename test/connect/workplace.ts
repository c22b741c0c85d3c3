import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { batonBinary, type Ran } from '../setup/cli.ts';

/** A user's machine: a home and a project folder of their own, where no server runs. */
export interface Workplace {
  readonly home: string;
  readonly project: string;
  baton(...args: string[]): Promise<Ran>;
  batonIn(folder: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** What an editor does with an entry of its file. */
  startServer(entry: { command: string; args: string[] }, folder?: string): Promise<Client>;
  leave(): Promise<void>;
}

export async function openWorkplace(): Promise<Workplace> {
  const root = await mkdtemp(join(tmpdir(), 'baton-connect-'));
  const home = join(root, 'home');
  const project = join(root, 'project');
  await mkdir(home);
  await mkdir(project);
  const binary = await batonBinary();
  const env = { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' };
  const batonIn: Workplace['batonIn'] = (cwd, args, more = {}) =>
    new Promise((done) => {
      const child = spawn(process.execPath, [binary, ...args], { cwd, env: { ...env, ...more } });
      child.stdin.end();
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('close', (code) => done({ code, stdout, stderr }));
    });
  return {
    home,
    project,
    batonIn,
    baton: (...args) => batonIn(project, args),
    read: (path) => readFile(path, 'utf8').catch(() => undefined),
    async write(path, text) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    remove: (path) => rm(path),
    async startServer({ command, args }, folder = project) {
      const client = new Client({ name: 'editor', version: '1' });
      await client.connect(new StdioClientTransport({ command, args, cwd: folder, env, stderr: 'ignore' }));
      return client;
    },
    leave: () => rm(root, { recursive: true, force: true }),
  };
}
