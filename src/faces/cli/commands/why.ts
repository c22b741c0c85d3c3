import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import pc from 'picocolors';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { checkWhyProof } from '../../../kernel/why-proof.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { readInput } from '../input.ts';
import { operationNamed, withConnection } from '../operation.ts';
import { print, printText } from '../output.ts';
import { whyTree } from './why-tree.ts';

interface WhyOptions {
  readonly project?: string;
  readonly kind?: string;
  readonly depth?: number;
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
      'of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span',
    )
    .option('--project <id>', 'the project to look in (default: every project you can see)')
    .option('--kind <kind>', 'the kind of thing, if several share this id')
    .option('--depth <n>', 'how far back to go (default: 6)', Number)
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

async function explain(host: Host, id: string, options: WhyOptions): Promise<void> {
  const { project, kind, depth, proof } = options;
  const question = { id, project, kind, depth };
  return withConnection(host, async (connection) => {
    const { body } = await connection.call(operationNamed(host, 'why.explain'), question);
    printText(body, options.json, whyTree);
    if (proof === undefined) return;
    const proved = await connection.call(operationNamed(host, 'why.prove'), question);
    await writeFile(proof, proved.body);
    if (!options.json) {
      process.stdout.write(pc.dim(`\n${proof} proves every step: baton why --check ${proof}\n`));
    }
  });
}

async function checkFile(file: string, { key, json }: WhyOptions): Promise<void> {
  const report = await checkWhyProof(decodeUtf8(await readInput(file)), nodeHasher, ed25519.verify, key);
  print(report, json, ({ valid, trusted, steps, tree_size, origin, error }) => {
    if (!valid) return `${pc.red('not valid')} at ${error?.step}: ${error?.message}`;
    const trust = trusted ? 'the key you gave' : 'the key in the file: compare it with one you trust';
    return `${pc.green('valid')}: all ${steps} steps are in the tree of ${tree_size} events of ${origin}, by ${trust}`;
  });
  if (!report.valid) process.exitCode = EXIT.integrity;
}
