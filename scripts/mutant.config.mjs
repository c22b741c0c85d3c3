import { defineConfig } from 'vitest/config';

const { MUTANT_FILE = '', MUTANT_TEXT = '', MUTANT_TESTS = 'src/slices' } = process.env;

/** Hands the tests of one folder a changed text in place of the file's own. */
export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (_, id) => (MUTANT_FILE !== '' && id.endsWith(`/${MUTANT_FILE}`) ? MUTANT_TEXT : undefined),
    },
  ],
  test: {
    include: [`${MUTANT_TESTS}/**/*.test.ts`],
    passWithNoTests: true,
    bail: 1,
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 1,
  },
});
