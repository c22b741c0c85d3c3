/**
 * The long forms of the property, crash and concurrency tests: the same suites with larger numbers. Without arguments also
 * whether the tests of the rules that decide notice a change to them.
 */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BATON_PROVE: '1' },
});
if (status !== 0 || process.argv.length > 2) process.exit(status ?? 1);
const mutation = spawnSync(process.execPath, ['scripts/mutate.mjs'], { stdio: 'inherit' });
process.exit(mutation.status ?? 1);
