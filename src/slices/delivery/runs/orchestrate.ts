/** Run by the tests that kill it: an orchestrator in a process of its own, until a turn has been accepted. */
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { openRepository } from '../repository/repository.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { step } from '../turns/step.ts';
import { startRun } from './start.ts';

const [root = '', keepIn = ''] = process.argv.slice(2);
const repository = openRepository({
  root,
  keepIn,
  clock: systemClock,
  random: nodeRandom,
  hasher: nodeHasher,
});
let { state, history } = await repository.snapshot();
if (state.status === 'idle') await startRun(repository);
while (history.length === 0) {
  await step(repository, { adapters: runtimeAdapters() });
  ({ state, history } = await repository.snapshot());
  if (state.status === 'blocked') break;
}
