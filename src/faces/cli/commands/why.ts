import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import pc from 'picocolors';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import type { RowsReport } from '../../../kernel/proved-rows.ts';
import { inline } from '../../../kernel/quoted.ts';
import { checkWhyProof } from '../../../kernel/why-proof.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { writePrivateFile } from '../../../platform/private-files.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { readInput } from '../input.ts';
import { operationNamed, withConnection } from '../operation.ts';
import { print, printText } from '../output.ts';
import { reliedOn } from './why-forward.ts';
import { whyTree } from './why-tree.ts';

interface WhyOptions {
  readonly project?: string;
  readonly kind?: string;
  readonly depth?: number;
  readonly forward?: boolean;
  readonly proof?: string;
  readonly check?: string;
  readonly key?: string;
  readonly json?: boolean;
}

export function addWhyCommand(program: Command, host: Host): void {
  program
    .command('why')
    .description('Trace anything back to the rule, package, fact, memory and person behind it.')
    .argument(
      '[id]',
      'of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span; or a git commit',
    )
    .option('--project <id>', 'the project to look in (default: every project you can see)')
    .option('--kind <kind>', 'the kind of thing, if several share this id')
    .option('--depth <n>', 'how far back to go (default: 6)', Number)
    .option('--forward', 'the other direction: everything that relied on it')
    .option('--proof <file>', 'write a file that proves every step to anyone, offline')
    .option('--check <file>', 'check such a file without a server')
    .option('--key <key>', 'with --check: the log key you trust, instead of the one in the file')
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, options: WhyOptions) => {
      if (options.check !== undefined) return checkFile(options.check, options);
      if (id === undefined) throw cliErrors.bad_arguments({ message: 'An id or --check FILE is required.' });
      await explain(host, id, options);
    });
}

async function explain(host: Host, given: string, options: WhyOptions): Promise<void> {
  const id = await wholeCommit(given);
  const { project, kind, depth, proof } = options;
  const question = { id, project, kind, depth };
  return withConnection(host, async (connection) => {
    if (options.forward) {
      const found = await connection.call(operationNamed(host, 'why.forward'), question);
      return printText(found.body, options.json, reliedOn);
    }
    const { body } = await connection.call(operationNamed(host, 'why.explain'), question);
    printText(body, options.json, whyTree);
    if (proof === undefined) return;
    const proved = await connection.call(operationNamed(host, 'why.prove'), question);
    await writePrivateFile(proof, proved.body);
    if (!options.json) {
      process.stdout.write(pc.dim(`\n${proof} proves every step: baton why --check ${proof}\n`));
    }
  });
}

/** A commit as people write it, in the repository at hand; anything else as it is. */
async function wholeCommit(given: string): Promise<string> {
  if (!/^(?:[0-9a-f]{7,39}|HEAD(?:[~^]\d*)*)$/.test(given)) return given;
  const asked = await promisify(execFile)('git', [
    'rev-parse',
    '--verify',
    '--quiet',
    `${given}^{commit}`,
  ]).catch(() => undefined);
  return asked?.stdout.trim() || given;
}

async function checkFile(file: string, { key, json }: WhyOptions): Promise<void> {
  const report = await checkWhyProof(decodeUtf8(await readInput(file)), nodeHasher, ed25519.verify, key);
  print(report, json, ({ valid, trusted, steps, tree_size, origin, state, error }) => {
    if (!valid)
      return `${pc.red('not valid')} at ${inline(error?.step ?? 'file')}: ${inline(error?.message ?? '')}`;
    const trust = trusted ? 'the key you gave' : 'the key in the file: compare it with one you trust';
    return [
      `${pc.green('valid')}: all ${steps} steps are in the tree of ${tree_size} events of ${origin}, by ${trust}`,
      rowsLine(state),
    ].join('\n');
  });
  if (!report.valid) process.exitCode = EXIT.integrity;
}

function rowsLine(state: RowsReport | null): string {
  if (state === null) return pc.dim('  a file of an earlier version: it proves events, and no rows');
  const { rows, withheld, gone, unattested } = state;
  const parts = [
    ...(withheld > 0 ? [`${withheld} by digest only`] : []),
    ...(gone > 0 ? [`${gone} gone, as recorded`] : []),
    ...(unattested > 0 ? [`${unattested} older than the records`] : []),
  ];
  return `  ${rows} rows of the store are as they were recorded${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}
