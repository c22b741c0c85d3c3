/** What a client's shell tool is told to run, and where: clients have their own names for both. */
import { type Members, textOf } from '../members.ts';

export interface ShellInput {
  /** Lines for a shell; which of them the client takes is its own affair. */
  readonly lines: readonly string[];
  /** A program and its arguments, in place of lines. */
  readonly argv?: readonly string[];
  /** Relative to where the client is, or not. */
  readonly folder?: string | undefined;
}

export function shellInput(input: Members): ShellInput {
  const folder = textOf(input, 'workdir', 'directory', 'cwd', 'dir_path');
  const { command } = input;
  if (Array.isArray(command)) return { lines: [], argv: command.map(String), folder };
  const lines = ['command', 'cmd', 'script']
    .map((name) => textOf(input, name))
    .filter((line) => line !== undefined);
  return { lines, folder };
}
