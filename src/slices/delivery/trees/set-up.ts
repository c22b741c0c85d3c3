import { environmentOfOthers } from '../environment.ts';
import { runProcess } from '../run-process.ts';

const LONGEST_MS = 30 * 60_000;

/** Runs what a new work tree needs before anybody works in it. Returns why it failed. */
export async function setUp(
  tree: string,
  commands: readonly string[],
  hear: (chunk: string) => void,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const command of commands) {
    const outcome = await runProcess({
      argv: shellWords(command),
      cwd: tree,
      timeoutMs: LONGEST_MS,
      env: environmentOfOthers(),
      signal,
      onOutput: hear,
      onErrors: hear,
    });
    if (outcome.exitCode === 0) continue;
    const why = outcome.timedOut ? 'ran out of time' : `ended with ${outcome.exitCode}`;
    return `worktree.setup: "${command}" ${why}. ${outcome.stderr.slice(-500)}`;
  }
  return undefined;
}

export function shellWords(command: string): readonly string[] {
  return process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['sh', '-c', command];
}
