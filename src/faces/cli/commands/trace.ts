import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { isCompactAppendixB } from '../../../kernel/json/canonical/appendix-b-scan.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { checkProofBundle } from '../../../kernel/proof-bundle.ts';
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
        'exact: byte for byte as Baton writes; strict: any JSON with the fields; auto: exact if any line has that form',
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
 * A file of ours is held to every byte; one that was written elsewhere only to its JSON. A file of which a part is
 * written as ours was tampered with, so one exact line holds the whole file to it.
 */
async function verifyFile(file: string, options: VerifyOptions): Promise<ChainReport> {
  const { chain: kind, profile } = options;
  const verify = (mode: LineMode) =>
    createChainVerifier(nodeHasher, { kind, mode, profile, acceptPruned: true });
  const auto = options.mode === 'auto';
  const strict = auto ? verify('strict') : undefined;
  const chosen = verify(options.mode === 'auto' ? 'exact' : options.mode);
  let ours = false;
  for await (const line of readLines(file)) {
    if (line === '') continue;
    ours ||= auto && isCompactAppendixB(line);
    chosen.push(line);
    strict?.push(line);
  }
  return strict && !ours ? strict.finish() : chosen.finish();
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

function addCheckProof(trace: Command): void {
  trace
    .command('check-proof')
    .description('Check a proof file without a server.')
    .argument('<file>', 'a file written by `trace prove`, or - for standard input')
    .option('--key <key>', 'the log key you trust, instead of the one in the file')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { key?: string; json?: boolean }) => {
      const text = decodeUtf8(await readInput(file));
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
