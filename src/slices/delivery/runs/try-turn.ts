import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatonError } from '../../../kernel/error.ts';
import { git, isWorkTree } from '../repository/git.ts';
import { FILES, within } from '../repository/paths.ts';
import { openRepository, type RunRepository } from '../repository/repository.ts';
import type { RuntimeAdapters } from '../runtimes/adapters.ts';
import { type StepResult, step } from '../turns/step.ts';
import { startRun } from './start.ts';

export interface TrialTurn {
  readonly outcome: StepResult['outcome'] | 'refused';
  readonly role: string | null;
  readonly summary: string | null;
  readonly files: readonly string[];
  readonly cost: unknown;
  readonly message: string | null;
}

export interface TrialOptions {
  readonly adapters: RuntimeAdapters;
  readonly role?: string;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: string) => void;
}

/** Takes one turn in a copy of the repository that is thrown away, with the real agent and the real rules. */
export async function tryTurn(repository: RunRepository, options: TrialOptions): Promise<TrialTurn> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-try-'));
  try {
    const root = await copyOf(repository.root, folder);
    const { clock, random, hasher } = repository;
    const trial = openRepository({ root, clock, random, hasher, keepIn: join(folder, 'keep') });
    await startRun(trial);
    const result = await step(trial, options);
    const row = (await trial.snapshot()).history.at(-1);
    return {
      outcome: result.outcome,
      role: row?.role ?? null,
      summary: row?.summary ?? null,
      files: row?.files_changed ?? [],
      cost: row?.cost ?? null,
      message: result.message,
    };
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return { outcome: 'refused', role: null, summary: null, files: [], cost: null, message: error.message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files as they are now, with a history of their own: a trial must not reach the repository it copies. */
async function copyOf(root: string, folder: string): Promise<string> {
  const copy = join(folder, 'tree');
  if (await isWorkTree(root)) {
    const names = (await git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])) ?? '';
    for (const name of names.split('\0').filter((each) => each !== ''))
      await cp(within(root, name), within(copy, name), { recursive: true }).catch(() => undefined);
  } else await cp(root, copy, { recursive: true });
  await cp(within(root, FILES.config), within(copy, FILES.config));
  await rm(within(copy, '.agentxchain'), { recursive: true, force: true });
  const me = ['-c', 'user.name=Baton', '-c', 'user.email=baton@localhost'];
  await git(copy, ['init', '-q']);
  await git(copy, ['add', '-A']);
  await git(copy, [...me, 'commit', '-q', '-m', 'Trial']);
  return copy;
}
