/** Run by the tests that kill it: an orchestrator in a process of its own, for one turn. */
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { openRepository } from '../repository/repository.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { step } from '../turns/step.ts';

const [root = '', keepIn = ''] = process.argv.slice(2);
const repository = openRepository({
  root,
  keepIn,
  clock: systemClock,
  random: nodeRandom,
  hasher: nodeHasher,
});
if ((await repository.snapshot()).history.length === 0)
  await step(repository, { adapters: runtimeAdapters() });
