import { defineConfig } from 'vitest/config';
import { UnfinishedReporter } from './test/setup/unfinished-reporter.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', new UnfinishedReporter()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // The optimizer of Node 20.20 faults now and then where it inlines a call into WebAssembly, which is what `fetch` reads
    // its answers with.
    execArgv: ['--no-turbo-inline-js-wasm-calls'],
  },
});
