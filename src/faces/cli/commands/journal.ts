import type { Command } from 'commander';
import pc from 'picocolors';
import { checkConsistencyProof, formatConsistencyProof } from '../../../kernel/consistency-proof.ts';
import { BatonError } from '../../../kernel/error.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { parseNote } from '../../../kernel/note/signed-note.ts';
import { inline } from '../../../kernel/quoted.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { writePrivateFile } from '../../../platform/private-files.ts';
import { type Connection, EXIT, type Host } from '../host.ts';
import { readInput } from '../input.ts';
import { verificationText, witnessLines } from '../journal-text.ts';
import { brokenSince, readKept, writeKept } from '../kept-checkpoints.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { printError } from '../output.ts';
import { parentCommand } from './parent.ts';

/** What scripts and timers rely on: a verification that could not run has found nothing, good or bad. */
const VERIFIED = { holds: 0, faulty: 1, notRun: 2 } as const;

interface VerifyOptions {
  readonly events?: boolean;
  readonly derived?: boolean;
  readonly checkpoint?: readonly string[];
  readonly key?: readonly string[];
  readonly witnessKey?: readonly string[];
  readonly json?: boolean;
}

interface CheckpointOptions {
  readonly out?: string;
  readonly json?: boolean;
}

export function addJournalCommands(program: Command, host: Host): void {
  const journal = parentCommand(program, 'journal', 'The provable record of every change.');
  journal
    .command('verify')
    .description(
      'Check the whole store. Exits with 0 if it holds, 1 if it does not, 2 if it could not be checked.',
    )
    .option('--events', 'check only the events, not the tables that they speak of')
    .option('--no-derived', 'leave out what is made from other tables: the search index')
    .option(
      '--checkpoint <paths...>',
      'checkpoints that you kept, as files or folders: shows a cut, a rewrite and a split view',
    )
    .option('--key <keys...>', 'who must have signed them, instead of the keys of the store itself')
    .option('--witness-key <keys...>', 'witnesses that must have cosigned one of them')
    .option('--json', 'print JSON, with every fault')
    .action(async (options: VerifyOptions) => {
      process.exitCode = await orNotRun(options, () => verify(host, options));
    });
  journal
    .command('checkpoint')
    .description(
      'Sign the tree as it is now, and print the signed checkpoint: keep it where the store is not.',
    )
    .option('--out <path>', 'write it to this file; in a folder, to one that is named by the size')
    .option('--json', 'print JSON')
    .action((options: CheckpointOptions) => checkpoint(host, options));
  journal
    .command('consistency')
    .description(
      'Print a file that proves to anyone, offline, that the journal continues a checkpoint that was kept.',
    )
    .argument('<checkpoint>', 'the file of the kept checkpoint')
    .option('--out <path>', 'write it to this file')
    .action((kept: string, options: CheckpointOptions) => consistency(host, kept, options));
}

async function verify(host: Host, options: VerifyOptions): Promise<number> {
  const kept = options.checkpoint ? await readKept(options.checkpoint) : undefined;
  const report = await reportOf(host, async (connection) => {
    const found = await ask(connection, host, 'journal.verify', {
      ...(options.events && { events: true }),
      ...(options.derived === false && { derived: false }),
      ...(kept && { checkpoints: kept }),
      ...(options.key && { keys: options.key }),
      ...(options.witnessKey && { witness_keys: options.witnessKey }),
    });
    return kept && found.valid ? withOwnCheck(connection, host, found, kept, options.key ?? []) : found;
  });
  process.stdout.write(`${options.json ? JSON.stringify(report) : verificationText(report)}\n`);
  return report.valid ? VERIFIED.holds : VERIFIED.faulty;
}

/** Whatever else goes wrong with a store that does not hold, such as signing it once more, adds nothing to that. */
async function reportOf(host: Host, ask: (connection: Connection) => Promise<Body>): Promise<Body> {
  let report: Body | undefined;
  try {
    return await withConnection(host, async (connection) => {
      report = await ask(connection);
      return report;
    });
  } catch (error) {
    if (report === undefined || report.valid) throw error;
    return report;
  }
}

/** The server says that all is well; whoever kept a checkpoint need not believe it. */
async function withOwnCheck(
  connection: Connection,
  host: Host,
  report: Body,
  kept: readonly string[],
  keys: readonly string[],
): Promise<Body> {
  const { note } = await ask(connection, host, 'journal.checkpoint', {});
  for (const one of kept) {
    const message = await brokenSince(one, note, keys, (first, second) =>
      ask(connection, host, 'journal.consistency', { first, second }),
    );
    if (message === undefined) continue;
    const faults = [...report.faults, { kind: 'kept_inconsistent', message }];
    return { ...report, valid: false, faults, fault_count: report.fault_count + 1 };
  }
  return report;
}

async function checkpoint(host: Host, { out, json }: CheckpointOptions): Promise<void> {
  const made = await withConnection(host, (connection) => ask(connection, host, 'journal.checkpoint', {}));
  const file = out === undefined ? undefined : await writeKept(out, made.note);
  if (json) process.stdout.write(`${JSON.stringify({ ...made, ...(file !== undefined && { file }) })}\n`);
  else if (file === undefined) process.stdout.write(made.note);
  else process.stdout.write(`${pc.green('done')}: ${file}, ${made.size} events\n`);
  // Beside the note, not in it: standard output is what is kept.
  if (!json) for (const line of witnessLines(made)) process.stderr.write(`${line}\n`);
}

/** Checked before it is handed out: a file that does not hold would accuse whoever shows it. */
async function consistency(host: Host, path: string, { out }: CheckpointOptions): Promise<void> {
  const first = decodeUtf8(await readInput(path));
  const text = await withConnection(host, async (connection) => {
    const newest = await ask(connection, host, 'journal.checkpoint', {});
    const sizes = { first: sizeOf(first), second: newest.size };
    const proof =
      sizes.first > sizes.second ? [] : (await ask(connection, host, 'journal.consistency', sizes)).path;
    return formatConsistencyProof({
      first,
      second: newest.note,
      path: proof,
      verifier_key: newest.verifier_key,
    });
  });
  const { valid, error } = await checkConsistencyProof(text, nodeHasher, ed25519.verify);
  if (!valid) {
    process.stderr.write(
      `${pc.red('The journal does not continue the checkpoint')}: ${inline(error?.message ?? '')}\n`,
    );
    process.exitCode = EXIT.integrity;
    return;
  }
  if (out === undefined) process.stdout.write(text);
  else {
    await writePrivateFile(out, text);
    process.stdout.write(`${pc.green('done')}: ${out}, for \`baton trace check-proof\`\n`);
  }
}

function sizeOf(note: string): number {
  return parseCheckpoint(parseNote(note).text).size;
}

/** Whatever goes wrong, it must not look like a store that does not hold. */
async function orNotRun({ json }: VerifyOptions, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BatonError) printError(error, json === true);
    else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return VERIFIED.notRun;
  }
}
