import { defineConfig } from 'vitest/config';

const { MUTANT_FILE = '', MUTANT_TEXT = '', MUTANT_SLICE = '*' } = process.env;

/** Hands the tests of one slice a changed text in place of the file's own. */
export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_, id) => (MUTANT_FILE !== '' && id.endsWith(`/${MUTANT_FILE}`) ? MUTANT_TEXT : undefined),
    },
  ],
  test: {
    include: [`src/slices/${MUTANT_SLICE}/**/*.test.ts`, `test/${MUTANT_SLICE}/**/*.test.ts`],
    bail: 1,
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 1,
  },
});
