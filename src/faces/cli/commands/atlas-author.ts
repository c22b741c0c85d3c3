/** The verbs of somebody who writes an Atlas: begin one, write it in one way, try it. */
import { resolve as resolvePath } from 'node:path';
import { createInterface, emitKeypressEvents } from 'node:readline';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { systemClock } from '../../../platform/index.ts';
import type { Tried } from '../../../slices/governance/atlases/files/try-atlas.ts';
import { cliErrors } from '../errors.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT } from '../host.ts';
import { forPeople } from '../output.ts';

const TEMPLATE_NAMES = ['support-refunds', 'coding-agent', 'data-pipeline'];

export function addAuthorCommands(atlas: Command): void {
  atlas
    .command('init')
    .description('Begin an Atlas: rules, actions and tests that work, to change from there.')
    .argument('<directory>', 'the folder to create')
    .addOption(
      new Option('--template <name>', 'what to begin with')
        .choices(TEMPLATE_NAMES)
        .default(TEMPLATE_NAMES[0]),
    )
    .option('--id <atlas_id>', 'its id, as com.example.shop')
    .option('--json', 'print JSON')
    .action(async (directory: string, options: JsonOption & { template: string; id?: string }) => {
      const { initAtlas } = await import('../../../slices/governance/atlases/files/init-atlas.ts');
      const name = resolvePath(directory).split(/[\\/]/).at(-1) ?? '';
      const id = options.id ?? `com.example.${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '') || 'atlas'}`;
      await printFound(initAtlas(directory, options.template, id), options, ({ files, atlas_id }) =>
        [
          `${pc.green('created')}: ${forPeople(atlas_id)}`,
          ...files.map((file) => `  ${forPeople(file)}`),
          'Next: baton atlas test, baton atlas try, then baton atlas load, each with the folder.',
        ].join('\n'),
      );
    });
  atlas
    .command('fmt')
    .description('Write the JSON files of an Atlas in one way; what they say stays the same.')
    .argument('<path>', 'a directory with atlas.json, or a manifest')
    .option('--check', 'write nothing, and fail if a file would change')
    .option('--json', 'print JSON')
    .action(async (path: string, options: JsonOption & { check?: boolean }) => {
      const { fmtAtlas } = await import('../../../slices/governance/atlases/files/fmt-atlas.ts');
      const check = options.check ?? false;
      const { changed } = await printFound(fmtAtlas(path, { check }), options, (found) =>
        found.changed.length === 0
          ? pc.green('All files are written as they should be.')
          : [
              check ? pc.red('would change') : pc.green('written'),
              ...found.changed.map((each) => `  ${forPeople(each)}`),
            ].join('\n'),
      );
      if (check && changed.length > 0) process.exitCode = EXIT.error;
    });
  atlas
    .command('try')
    .description('Type calls and see at once what the rules decide, and why. Reads lines from a pipe too.')
    .argument('<path>', 'a directory with atlas.json, or a manifest')
    .argument('[call...]', 'one call to decide, instead of asking')
    .allowUnknownOption()
    .option('--json', 'print JSON')
    .action(async (path: string, call: string[], options: JsonOption) => {
      const { tryableAtlas, tryLine, TRY_FORM } = await import(
        '../../../slices/governance/atlases/files/try-atlas.ts'
      );
      const set = await tryableAtlas(path);
      const decide = (line: string) => tryLine(set, line, systemClock.now());
      if (call.length > 0) {
        const tried = decide(call.map((word) => (/[\s]/.test(word) ? quoted(word) : word)).join(' '));
        if (tried.problem !== undefined) throw cliErrors.bad_arguments({ message: `${tried.problem}.` });
        await printFound(Promise.resolve(tried), options, triedText);
        return;
      }
      if (process.stdin.isTTY && !options.json) {
        process.stdout.write(`${pc.dim(TRY_FORM)}\n${pc.dim(set.actionIds.join('  '))}\n`);
        await typeAndSee((line) => triedText(decide(line)));
        return;
      }
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() !== '') await printFound(Promise.resolve(decide(line)), options, triedText);
      }
    });
}

/** `command=npm test` was one word for the shell that started us. */
function quoted(word: string): string {
  const at = word.indexOf('=');
  return at < 0 ? JSON.stringify(word) : `${word.slice(0, at)}=${JSON.stringify(word.slice(at + 1))}`;
}

/** Below the line that is being typed stands what it would come to. */
async function typeAndSee(answer: (line: string) => string): Promise<void> {
  const typed = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  emitKeypressEvents(process.stdin, typed);
  process.stdin.on('keypress', () =>
    setImmediate(() => {
      if (typed.line.trim() !== '') process.stdout.write(`\x1b7\n\x1b[J${answer(typed.line)}\x1b8`);
    }),
  );
  typed.prompt();
  for await (const line of typed) {
    process.stdout.write(`\x1b[J${line.trim() === '' ? '' : `${answer(line)}\n`}`);
    typed.prompt();
  }
}

const COLOURS = { allow: pc.green, deny: pc.red, require_approval: pc.yellow } as const;

function triedText({ problem, explanation, reason, faults = [] }: Tried): string {
  if (!explanation) return pc.dim(forPeople(problem ?? ''));
  const { effect, winner, policies } = explanation;
  const why = reason === undefined ? '' : `: ${reason}`;
  return [
    `${COLOURS[effect](effect)} by ${forPeople(`${winner}${why}`)}`,
    ...(faults.length > 0
      ? [
          pc.yellow(
            '  the parameters do not fit the schema of the action: a call is refused before any rule',
          ),
          ...faults.map((fault) => `    ${forPeople(fault)}`),
        ]
      : []),
    ...policies
      .filter(({ failed }) => failed !== 'actions' && failed !== 'atlas')
      .map(({ policy_id, type, failed }) =>
        failed === undefined
          ? `  ${pc.green('✓')} ${forPeople(policy_id)} ${pc.dim(type)}`
          : pc.dim(`  ✗ ${forPeople(`${policy_id} ${type}: ${failed}`)}`),
      ),
  ].join('\n');
}
