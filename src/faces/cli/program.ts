import { Command, CommanderError } from 'commander';
import { BatonError } from '../../kernel/error.ts';
import { addAnchorCommands } from './commands/anchors.ts';
import { addAtlasCommands } from './commands/atlas.ts';
import { addAttestCommand } from './commands/attest.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addAgenticConformanceCommand } from './commands/conformance-agentic.ts';
import { addConformanceCheckCommand } from './commands/conformance-check.ts';
import { addCraConformanceCommand } from './commands/conformance-cra.ts';
import { addConnectCommand } from './commands/connect.ts';
import { addDemoRunCommand } from './commands/demo-run.ts';
import { addDepositCommand } from './commands/deposit.ts';
import { addDisconnectCommand } from './commands/disconnect.ts';
import { addExportCommand } from './commands/export.ts';
import { addGatewayCommand } from './commands/gateway.ts';
import { addHashCommand } from './commands/hash.ts';
import { addImportCommand } from './commands/import.ts';
import { addInboxDecideCommands } from './commands/inbox-decide.ts';
import { addLoginCommands } from './commands/login.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryImportCommand } from './commands/memory-import.ts';
import { addMultiCommands } from './commands/multi.ts';
import { addOpenCommand } from './commands/open.ts';
import { addOrientCommand } from './commands/orient.ts';
import { addRelayDemoCommand } from './commands/relay-demo.ts';
import { addRelayGate } from './commands/relay-gate.ts';
import { addRelayHarnessCommand } from './commands/relay-harness.ts';
import { addRelayServeCommand } from './commands/relay-serve.ts';
import { addRelayViewCommand } from './commands/relay-view.ts';
import { addRenewOwnerCommand } from './commands/renew-owner.ts';
import { addRunCommands } from './commands/run.ts';
import { addSyncCommand } from './commands/sync.ts';
import { addTraceCommands } from './commands/trace.ts';
import { addUpCommand } from './commands/up.ts';
import { addWhyCommand } from './commands/why.ts';
import { addDerivedCommands } from './derive.ts';
import { EXIT, type Host } from './host.ts';
import { printError } from './output.ts';

/** Runs one command line and answers its exit code. */
export async function runCli(argv: readonly string[], host: Host): Promise<number> {
  const program = new Command('baton')
    .description('The one ledger that a team of AI agents and people works from.')
    .version(host.version)
    .showHelpAfterError('(see --help)')
    // `inbox list --json` means the list's option, though `inbox` alone has one of that name too.
    .enablePositionalOptions()
    .exitOverride();
  addUpCommand(program, host);
  addOpenCommand(program, host);
  addConnectCommand(program, host);
  addDisconnectCommand(program, host);
  addMcpCommand(program, host);
  addGatewayCommand(program, host);
  addBackupCommand(program, host);
  addHashCommand(program);
  addAgenticConformanceCommand(program, host);
  addAtlasCommands(program, host);
  addCraConformanceCommand(program, host);
  addConformanceCheckCommand(program, host);
  addRunCommands(program, host);
  addMultiCommands(program, host);
  addDemoRunCommand(program);
  addRelayDemoCommand(program, host);
  addRelayGate(program, host);
  addRelayHarnessCommand(program, host);
  addRelayServeCommand(program, host);
  addRelayViewCommand(program, host);
  addDepositCommand(program, host);
  addOrientCommand(program, host);
  addAnchorCommands(program, host);
  addAttestCommand(program, host);
  addExportCommand(program, host);
  addImportCommand(program, host);
  addMemoryImportCommand(program, host);
  addSyncCommand(program, host);
  addTraceCommands(program, host);
  addWhyCommand(program, host);
  addInboxDecideCommands(program, host);
  addLoginCommands(program, host);
  addDerivedCommands(program, host, argv[0]);
  addRenewOwnerCommand(program, host);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return typeof process.exitCode === 'number' ? process.exitCode : EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof BatonError) return printError(error, argv.includes('--json'));
    throw error;
  }
}
