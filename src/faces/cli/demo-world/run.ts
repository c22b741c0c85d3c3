import { join } from 'node:path';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import type { World } from './world.ts';

/** A repository whose run has come as far as its first gate, which asks a person in the inbox. */
export async function fillRun(world: World): Promise<void> {
  const { beginDemoRun, runsFolder } = await import('../../../slices/delivery/commands.ts');
  const root = join(world.folder, 'greeter');
  await beginDemoRun(root, {
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
    keepIn: runsFolder(world.dataDir),
  });
  await world.owner.ask('delivery.attach', { project_id: world.project('platform'), path: root });
}
