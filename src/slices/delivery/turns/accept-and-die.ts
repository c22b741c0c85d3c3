/** Run by the crash tests as a process of its own: accepts a turn and kills itself before the named step. */
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { openRepository } from '../repository/repository.ts';
import { accept } from './accept.ts';

const [root = '', turnId = '', step = ''] = process.argv.slice(2);
const isMeant = (name: string) =>
  name === step ||
  (step === 'remove:bundle' && name.startsWith('remove:') && name.includes('dispatch/turns')) ||
  (step === 'remove:staging' && name.startsWith('remove:') && name.includes('staging'));

const repository = openRepository({
  root,
  clock: systemClock,
  random: nodeRandom,
  hasher: nodeHasher,
  keepIn: `${root}.keep`,
  faults: (name) => {
    if (isMeant(name)) process.kill(process.pid, 'SIGKILL');
  },
});
await accept(repository, { turnId });
