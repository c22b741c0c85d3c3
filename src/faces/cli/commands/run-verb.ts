import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import type { RunRepository } from '../../../slices/delivery/commands.ts';
import type { Host } from '../host.ts';
import { print } from '../output.ts';

export interface RunOptions {
  readonly dir: string;
  readonly json?: boolean;
}

type RunCommands = typeof import('../../../slices/delivery/commands.ts');

/** A verb on a directory. Its engine is loaded when it runs, so that other commands start without it. */
export function dirVerb(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--dir <path>', 'the repository', '.')
    .option('--json', 'print JSON');
}

export const machine = { clock: systemClock, random: nodeRandom, hasher: nodeHasher };

export async function openRun(
  { settings }: Host,
  { dir }: RunOptions,
): Promise<{ readonly run: RunCommands; readonly repository: RunRepository }> {
  const run = await import('../../../slices/delivery/commands.ts');
  const keepIn = run.runsFolder(settings.dataDir);
  return { run, repository: run.openRepository({ root: resolve(dir), keepIn, ...machine }) };
}

export function show<T>(options: RunOptions, value: T, text: (value: T) => string): void {
  print(withDir(options, value), options.json, text);
}

/** The next command works as printed, from any directory. */
function withDir<T>({ dir }: RunOptions, value: T): T {
  const next = (value as { readonly next?: unknown } | null)?.next;
  if (dir === '.' || typeof next !== 'string') return value;
  const quoted = /^[\w./-]+$/.test(dir) ? dir : JSON.stringify(dir);
  const there = next
    .replace(/^git add -A && git commit/, `git -C ${quoted} add -A && git -C ${quoted} commit`)
    .replace(/(baton (?:run|multi) \S+)/, `$1 --dir ${quoted}`);
  return { ...value, next: there };
}

/** Who decides on the files of this machine. */
export function operator(): string {
  return userInfo().username;
}

/** Aborted by Ctrl+C, so that what runs can end in good order. */
export function interrupted(): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  return stop.signal;
}
