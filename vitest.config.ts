import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { UnfinishedReporter } from './test/setup/unfinished-reporter.ts';

/** They read and write nothing, so they cannot disturb each other: a process and its modules serve many of them. */
const PURE = ['src/kernel/**/*.test.ts', 'src/**/rules/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: PURE,
        },
      },
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
