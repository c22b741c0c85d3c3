import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHasher, nodeRandom, systemClock } from '../../../src/platform/index.ts';
import { git } from '../../../src/slices/delivery/repository/git.ts';
import { documentText, openRepository } from '../../../src/slices/delivery/repository/repository.ts';
import { AGENT_SCRIPT, demoConfig } from '../../../src/slices/delivery/runs/demo-agent.ts';
import { runLoop } from '../../../src/slices/delivery/runs/loop.ts';
import { startRun } from '../../../src/slices/delivery/runs/start.ts';
import { runtimeAdapters } from '../../../src/slices/delivery/runtimes/adapters.ts';
import type { TestServer } from '../../setup/server.ts';

const AUTHOR = ['-c', 'user.name=Seed', '-c', 'user.email=seed@localhost'];

/** A repository whose run has come as far as the first gate, attached to the server. Answers its directory. */
export async function seedRun(server: TestServer): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'baton-greeter-'));
  await mkdir(join(root, '.planning'));
  await writeFile(join(root, 'agent.mjs'), AGENT_SCRIPT);
  await writeFile(join(root, 'agentxchain.json'), documentText(demoConfig(process.execPath)));
  await git(root, ['init', '-q']);
  await git(root, ['add', '-A']);
  await git(root, [...AUTHOR, 'commit', '-q', '-m', 'Begin']);
  const repository = openRepository({
    root,
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
    keepIn: join(server.dataDir, 'runs'),
  });
  await startRun(repository);
  await runLoop(repository, { adapters: runtimeAdapters() });
  await server.client.call('delivery.attach', { project_id: 'default', path: root });
  return root;
}
