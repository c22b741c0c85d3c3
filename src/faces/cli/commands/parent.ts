import type { Command } from 'commander';

/** The word that holds commands of several files; made by the first that needs it. */
export function parentCommand(program: Command, name: string, description: string): Command {
  return (
    program.commands.find((command) => command.name() === name) ??
    program.command(name).description(description)
  );
}
