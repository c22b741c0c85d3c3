import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AGENT_SCRIPT, demoConfig } from '../../src/slices/delivery/runs/demo-agent.ts';

export interface Governed {
  readonly root: string;
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** A real git repository whose three roles are played by a small script: no keys, no network. */
export async function governedRepository(config: object = demoConfig(process.execPath)): Promise<Governed> {
  const root = await mkdtemp(join(tmpdir(), 'baton-delivery-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('agent.mjs', AGENT_SCRIPT);
  await write('agentxchain.json', JSON.stringify(config, null, 2));
  commitAll(root);
  return { root, write, remove: () => rm(root, { recursive: true, force: true }) };
}

export function commitAll(root: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
}

const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 50;

/** What becomes true by itself soon; a test that waits in vain fails with what it saw last. */
export async function eventually<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > until) throw new Error(`still ${JSON.stringify(seen)}`);
    await pause(LOOK_EVERY_MS);
  }
}
