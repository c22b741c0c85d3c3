import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { CONSISTENCY_FORMAT, checkConsistencyProof } from '../../../kernel/consistency-proof.ts';
import { isCompactAppendixB } from '../../../kernel/json/canonical/appendix-b-scan.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { checkProofBundle } from '../../../kernel/proof-bundle.ts';
import { inline } from '../../../kernel/quoted.ts';
import { eventHash } from '../../../kernel/trace/event.ts';
import type { ChainKind } from '../../../kernel/trace/event-types.ts';
import { type LineMode, readTraceEvent } from '../../../kernel/trace/line.ts';
import type { ChainReport } from '../../../kernel/trace/report.ts';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { EXIT, type Host } from '../host.ts';
import { readInput, readLines } from '../input.ts';
import { operationNamed, withConnection } from '../operation.ts';
import { print } from '../output.ts';
import { addTraceFileCommands } from './trace-files.ts';

export function addTraceCommands(program: Command, host: Host): void {
  const trace = program
    .command('trace')
    .description('Hash, check, prove, replay and compare TRACE/1.0 events.');
  addHash(trace);
  addVerify(trace);
  addProve(trace, host);
  addCheckProof(trace);
  addTraceFileCommands(trace, host);
}

const chainOption = () =>
  new Option('--chain <kind>', 'which chain of a session').choices(['trace', 'ledger']).default('trace');

function addHash(trace: Command): void {
  trace
    .command('hash')
    .description('Print the Appendix B hash of each event of a JSONL file.')
    .argument('<file>', 'a .trace.jsonl file, or - for standard input')
    .addOption(chainOption())
    .option('--lenient', 'hash anything that has the fields, without checking the strict syntax')
    .action(async (file: string, options: { chain: ChainKind; lenient?: boolean }) => {
      for await (const line of readLines(file)) {
        if (line.trim() === '') continue;
        const event = readTraceEvent(line, options.chain, options.lenient ? 'lenient' : 'strict');
        process.stdout.write(`${eventHash(nodeHasher, event)}\n`);
      }
    });
}

interface VerifyOptions {
  readonly chain: ChainKind;
  readonly mode: LineMode | 'auto';
  readonly profile: 'appendix-b' | 'utf8' | 'auto';
  readonly json?: boolean;
}

function addVerify(trace: Command): void {
  trace
    .command('verify')
    .description('Check every hash, link and number of a chain, and report where each error is.')
    .argument('<file>', 'a .trace.jsonl file, or - for standard input')
    .addOption(chainOption())
    .addOption(
      new Option(
        '--mode <mode>',
        'exact: byte for byte as Baton writes; strict: any JSON with the fields; auto: strict, naming lines that are spelt otherwise',
      )
        .choices(['auto', 'exact', 'strict', 'lenient'])
        .default('auto'),
    )
    .addOption(
      new Option('--profile <profile>', 'how payloads were serialised for hashing')
        .choices(['appendix-b', 'utf8', 'auto'])
        .default('appendix-b'),
    )
    .option('--json', 'print JSON')
    .action(async (file: string, options: VerifyOptions) => {
      const report = await verifyFile(file, options);
      print(report, options.json, chainText);
      if (!report.valid) process.exitCode = EXIT.integrity;
    });
}

/**
 * An event is what its hash says, however it is spelt: others write the same JSON with spaces, or with letters where we
 * escape. Where some lines are byte for byte as we write and others are not, somebody touched those, and they are named.
 */
async function verifyFile(file: string, options: VerifyOptions): Promise<ChainReport> {
  const { chain: kind, profile } = options;
  const verify = (mode: LineMode) =>
    createChainVerifier(nodeHasher, { kind, mode, profile, acceptPruned: true });
  const verifier = verify(options.mode === 'auto' ? 'strict' : options.mode);
  const otherwise: number[] = [];
  let events = 0;
  for await (const line of readLines(file)) {
    if (line === '') continue;
    if (options.mode === 'auto' && !isCompactAppendixB(line)) otherwise.push(events);
    verifier.push(line);
    events += 1;
  }
  const report = verifier.finish();
  if (otherwise.length === events) return report;
  const spelt = otherwise.map((index) => ({ index, sequence: index, warning: 'other_spelling' as const }));
  return { ...report, warnings: [...report.warnings, ...spelt] };
}

function chainText(report: ChainReport): string {
  const verdict = report.valid ? pc.green('valid') : pc.red('not valid');
  const ended = report.ended
    ? 'ended'
    : 'not ended: only a checkpoint can show that its tail was not cut off';
  return [
    `${verdict}: ${report.event_count} events, ${ended}`,
    ...report.errors.map(({ index, error, details }) => `  ${pc.red(error)} at event ${index}: ${details}`),
    ...report.warnings.map(({ index, warning }) => `  ${pc.yellow(warning)} at event ${index}`),
    pc.dim(`head ${report.head}`),
  ].join('\n');
}

function addProve(trace: Command, host: Host): void {
  trace
    .command('prove')
    .description('Print a file that proves one event of the journal to anyone, offline.')
    .argument('<event-id>')
    .action(async (eventId: string) => {
      const operation = operationNamed(host, 'journal.prove');
      await withConnection(host, async (connection) => {
        process.stdout.write(visibleJson((await connection.call(operation, { event_id: eventId })).body));
      });
    });
}

interface CheckOptions {
  readonly key?: string;
  readonly checkpoint?: string;
  readonly json?: boolean;
}

async function checkConsistency(text: string, { key, checkpoint, json }: CheckOptions): Promise<void> {
  const kept = checkpoint === undefined ? undefined : decodeUtf8(await readInput(checkpoint));
  const report = await checkConsistencyProof(text, nodeHasher, ed25519.verify, { key, kept });
  print(report, json, ({ valid, trusted, first_size, second_size, origin, error }) => {
    if (!valid) return `${pc.red('not valid')}: ${inline(error?.message ?? '')}`;
    const trust = trusted ? 'by the key you gave' : 'by the key in the file: compare it with one you trust';
    return `${pc.green('valid')}: the first ${first_size} of ${second_size} events in ${inline(origin ?? '')} are the same, signed ${trust}`;
  });
  if (!report.valid) process.exitCode = EXIT.integrity;
}

function addCheckProof(trace: Command): void {
  trace
    .command('check-proof')
    .description('Check a proof file without a server.')
    .argument('<file>', 'a file written by `trace prove` or `journal consistency`, or - for standard input')
    .option('--key <key>', 'the log key you trust, instead of the one in the file')
    .option(
      '--checkpoint <file>',
      'of a consistency proof: the checkpoint you kept, with which it must begin',
    )
    .option('--json', 'print JSON')
    .action(async (file: string, options: CheckOptions) => {
      const text = decodeUtf8(await readInput(file));
      if (text.includes(`"${CONSISTENCY_FORMAT}"`)) return checkConsistency(text, options);
      const report = await checkProofBundle(text, nodeHasher, ed25519.verify, options.key);
      print(report, options.json, ({ valid, trusted, event_hash, leaf_index, tree_size, origin, error }) => {
        if (!valid) return `${pc.red('not valid')}: ${error?.message}`;
        const trust = trusted
          ? 'by the key you gave'
          : 'by the key in the file: compare it with one you trust';
        return `${pc.green('valid')}: event ${event_hash?.slice(0, 16)}… is leaf ${leaf_index} of ${tree_size} in ${origin}, signed ${trust}`;
      });
      if (!report.valid) process.exitCode = EXIT.integrity;
    });
}
