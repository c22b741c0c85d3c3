import type { Command } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { EXIT } from '../host.ts';
import { parentCommand } from './parent.ts';
import { machine } from './run-verb.ts';

export function addDemoRunCommand(program: Command): void {
  parentCommand(program, 'demo', 'Try Baton without keys or setup.')
    .command('run')
    .description('Watch three agents deliver a small program through gates, in a repository of its own.')
    .option('--keep', 'keep the repository so you can look around')
    .option('--json', 'print the report as JSON')
    .action(async (options: { keep?: boolean; json?: boolean }) => {
      const { runDemo } = await import('../../../slices/delivery/commands.ts');
      const say = (line: string) =>
        process.stdout.write(`${coloured(`${/^ */.exec(line)}${inline(line)}`)}\n`);
      if (!options.json) process.stdout.write(INTRODUCTION);
      const { report, verified, root } = await runDemo({
        ...machine,
        say: options.json ? () => undefined : say,
        ...(options.keep && { keep: true }),
      });
      if (options.json) {
        const where = options.keep ? { root } : {};
        process.stdout.write(`${visibleJson(JSON.stringify({ verified, ...where, report }))}\n`);
      }
      if (!verified) process.exitCode = EXIT.integrity;
    });
}

const INTRODUCTION = `${pc.bold('A product manager, a developer and a tester deliver a greeter.')}
${pc.dim('They are small scripts; any coding agent’s command line can take their place. You are the person at the gates.')}

`;

function coloured(line: string): string {
  if (line.startsWith('  Sent back')) return pc.yellow(line);
  if (line.startsWith('  The gate')) return pc.cyan(line);
  if (line.startsWith('  Approved')) return pc.green(line);
  const [, role, said] = /^ {2}(\w+): (.*)$/.exec(line) ?? [];
  return role === undefined ? pc.bold(line) : `  ${pc.bold(role.padEnd(4))} ${said}`;
}
