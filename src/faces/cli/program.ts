import { Command, CommanderError } from 'commander';
import { BatonError } from '../../kernel/error.ts';
import { addDerivedCommands } from './derive.ts';
import { EXIT, type Host } from './host.ts';

type AddCommands = (program: Command, host: Host) => void;

/**
 * Commands with code of their own, in the order of the help: the words that they begin with, and what adds them. Only
 * the module of the word at hand is loaded; the help of all commands loads all.
 */
const COMMANDS: readonly (readonly [words: string, load: () => Promise<AddCommands>])[] = [
  ['init', async () => (await import('./commands/init.ts')).addInitCommand],
  ['up', async () => (await import('./commands/up.ts')).addUpCommand],
  ['open', async () => (await import('./commands/open.ts')).addOpenCommand],
  ['connect', async () => (await import('./commands/connect.ts')).addConnectCommand],
  ['disconnect', async () => (await import('./commands/disconnect.ts')).addDisconnectCommand],
  ['status', async () => (await import('./commands/status.ts')).addStatusCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).addDoctorCommand],
  ['guard', async () => (await import('./commands/guard.ts')).addGuardCommand],
  ['hooks', async () => (await import('./commands/hooks.ts')).addHooksCommand],
  ['mcp', async () => (await import('./commands/mcp.ts')).addMcpCommand],
  ['gateway', async () => (await import('./commands/gateway.ts')).addGatewayCommand],
  ['backup', async () => (await import('./commands/backup.ts')).addBackupCommand],
  ['migrate', async () => (await import('./commands/migrate.ts')).addMigrateCommand],
  ['hash', async () => (await import('./commands/hash.ts')).addHashCommand],
  [
    'conformance',
    async () => (await import('./commands/conformance-agentic.ts')).addAgenticConformanceCommand,
  ],
  ['atlas', async () => (await import('./commands/atlas.ts')).addAtlasCommands],
  ['conformance', async () => (await import('./commands/conformance-cra.ts')).addCraConformanceCommand],
  [
    'conformance verify',
    async () => (await import('./commands/conformance-check.ts')).addConformanceCheckCommand,
  ],
  ['run', async () => (await import('./commands/run.ts')).addRunCommands],
  ['multi', async () => (await import('./commands/multi.ts')).addMultiCommands],
  ['demo', async () => (await import('./commands/demo-run.ts')).addDemoRunCommand],
  ['demo', async () => (await import('./commands/relay-demo.ts')).addRelayDemoCommand],
  ['demo', async () => (await import('./commands/demo-world.ts')).addDemoWorldCommand],
  ['relay', async () => (await import('./commands/relay-gate.ts')).addRelayGate],
  ['relay', async () => (await import('./commands/relay-harness.ts')).addRelayHarnessCommand],
  ['relay', async () => (await import('./commands/relay-replay.ts')).addRelayReplayCommand],
  ['relay', async () => (await import('./commands/relay-serve.ts')).addRelayServeCommand],
  ['relay', async () => (await import('./commands/relay-view.ts')).addRelayViewCommand],
  ['deposit', async () => (await import('./commands/deposit.ts')).addDepositCommand],
  ['orient', async () => (await import('./commands/orient.ts')).addOrientCommand],
  ['anchors', async () => (await import('./commands/anchors.ts')).addAnchorCommands],
  ['cleanup', async () => (await import('./commands/cleanup.ts')).addCleanupCommand],
  ['attest', async () => (await import('./commands/attest.ts')).addAttestCommand],
  ['export', async () => (await import('./commands/export.ts')).addExportCommand],
  ['import', async () => (await import('./commands/import.ts')).addImportCommand],
  ['memory', async () => (await import('./commands/memory-import.ts')).addMemoryImportCommand],
  ['sync', async () => (await import('./commands/sync.ts')).addSyncCommand],
  ['trace', async () => (await import('./commands/trace.ts')).addTraceCommands],
  ['journal', async () => (await import('./commands/journal.ts')).addJournalCommands],
  ['why', async () => (await import('./commands/why.ts')).addWhyCommand],
  ['inbox', async () => (await import('./commands/inbox-decide.ts')).addInboxDecideCommands],
  ['login passphrase', async () => (await import('./commands/login.ts')).addLoginCommands],
];

/** Runs one command line and answers its exit code. */
export async function runCli(argv: readonly string[], host: Host): Promise<number> {
  const program = new Command('baton')
    .description('The one ledger that a team of AI agents and people works from.')
    .version(host.version)
    .showHelpAfterError('(see --help)')
    // `inbox list --json` means the list's option, though `inbox` alone has one of that name too.
    .enablePositionalOptions()
    .exitOverride();
  // `baton … | head`: whoever reads has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  await addCommands(program, host, argv[0]);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof BatonError)) throw error;
    const { printError } = await import('./output.ts');
    return printError(error, argv.includes('--json'));
  }
}

/** A word that no command begins with gets all commands of this file: the error names what comes close to it. */
async function addCommands(program: Command, host: Host, firstWord: string | undefined): Promise<void> {
  const own = COMMANDS.filter(([words]) => words.split(' ').includes(firstWord ?? ''));
  const isDerived = host.operations.some(({ faces }) =>
    faces.some(({ command }) => command.split(' ')[0] === firstWord),
  );
  const loaded = own.length > 0 || isDerived ? own : COMMANDS;
  for (const add of await Promise.all(loaded.map(([, load]) => load()))) add(program, host);
  addDerivedCommands(program, host, firstWord);
  // Joins the derived commands of its word, after them.
  if (loaded === COMMANDS || firstWord === 'keys') {
    const { addRenewOwnerCommand } = await import('./commands/renew-owner.ts');
    addRenewOwnerCommand(program, host);
  }
  if (loaded === COMMANDS || firstWord === 'journal') {
    const { addJournalRekeyCommand } = await import('./commands/journal-rekey.ts');
    addJournalRekeyCommand(program, host);
  }
}
