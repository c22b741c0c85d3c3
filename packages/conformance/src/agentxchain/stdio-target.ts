import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from '../../../../src/slices/delivery/parse.ts';
import { runProcess } from '../../../../src/slices/delivery/run-process.ts';
import { readCapabilities } from './capabilities.ts';
import { conformanceErrors } from './errors.ts';
import { brokenAnswer, readAnswer, type Target } from './target.ts';

const EXIT_CODES = { pass: 0, fail: 1, error: 2, not_implemented: 3 } as const;
/** The contract sets no limit, but a hung adapter must not hang a build forever. */
const PATIENCE_MS = 10 * 60 * 1000;
const MAX_ANSWER = 64 * 1024 * 1024;

/** One process per fixture, started in the target's root. */
export async function openStdioTarget(root: string): Promise<Target> {
  const file = join(root, '.agentxchain-conformance', 'capabilities.json');
  const raw = await readFile(file).then(parseDocument, (cause) => {
    throw conformanceErrors.capabilities_invalid({ message: `${file} cannot be read.`, cause });
  });
  const capabilities = readCapabilities(raw, 'stdio-fixture-v1');
  return {
    capabilities,
    async execute(fixture) {
      const outcome = await runProcess({
        argv: capabilities.command,
        cwd: root,
        input: `${JSON.stringify(fixture)}\n`,
        timeoutMs: PATIENCE_MS,
        maxOutput: MAX_ANSWER,
      });
      if (outcome.spawnError !== undefined)
        return brokenAnswer(`The adapter did not start: ${outcome.spawnError}`);
      const answer = readAnswer(outcome.stdout);
      if (outcome.exitCode === EXIT_CODES[answer.status]) return answer;
      return brokenAnswer(
        `The adapter said "${answer.status}" but exited with ${outcome.exitCode}. ${answer.message}`,
      );
    },
  };
}
