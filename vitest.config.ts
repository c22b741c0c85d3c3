import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { UnfinishedReporter } from './test/setup/unfinished-reporter.ts';

/** Each makes what it needs and leaves the process as it was, so a process and its modules serve many of them. */
const BESIDE_THE_SOURCES = ['src/**/*.test.ts', 'client/src/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sources', include: BESIDE_THE_SOURCES, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', new UnfinishedReporter()],
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
