import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { UnfinishedReporter } from './test/setup/unfinished-reporter.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Drills with programs that are not of npm, minutes long: `npm run prove -- failover`.
    exclude: [...configDefaults.exclude, ...(process.env.BATON_PROVE === '1' ? [] : ['test/failover/**'])],
    // Each file makes what it needs and leaves the process as it was: to load the modules anew for each took a sixth of the run.
    isolate: false,
    // Colours come with the terminal, or with CI=true; texts are compared without.
    env: { NO_COLOR: '1' },
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', new UnfinishedReporter()],
    sequence: { sequencer: LongestFirst },
    // Limits for what hangs, not for what is slow: the suite must pass on a machine with far too much to do.
    testTimeout: process.env.BATON_PROVE === '1' ? 1_200_000 : 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
