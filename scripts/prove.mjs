/** The long forms of the property, crash and concurrency tests: the same suites with larger numbers. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BATON_PROVE: '1' },
});
process.exit(status ?? 1);
