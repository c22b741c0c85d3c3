import type { Command } from 'commander';
import pc from 'picocolors';
import { requirePerson } from '../agent-session.ts';
import { requireBound } from '../connect/bound-here.ts';
import { type ConnectionRecord, writeConnection } from '../connect/connection-record.ts';
import { type HookState, hookState } from '../connect/hook-state.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { shownPath } from '../connect/summary.ts';
import type { Host } from '../host.ts';
import { print } from '../output.ts';

interface HooksOptions {
  readonly prompts?: boolean;
  readonly json?: boolean;
}

/** What the person lets the hooks do in this repository. Takes effect with the next event. */
export function addHooksCommand(program: Command, host: Host): void {
  const hooks = program
    .command('hooks')
    .description('Show, stop or resume what happens by itself in this repository.')
    .option('--json', 'print JSON')
    .action(async (options: HooksOptions) => {
      const { root, records } = await requireBound(host);
      const states = records.map((record) => hookState(record, root));
      print({ repository: root, clients: states }, options.json, stateText);
    });
  hooks
    .command('off')
    .description('Stop the hooks in this repository: nothing is recorded, oriented or guarded.')
    .action(() =>
      change(host, 'Hooks are off in', (record, root) => ({ ...record, offIn: withRoot(record, root) })),
    );
  hooks
    .command('on')
    .description('Resume the hooks in this repository.')
    .option('--prompts', 'record the words of prompts')
    .option('--no-prompts', 'leave the words of prompts out of what is recorded')
    .action((options: HooksOptions, command: Command) => {
      const chosen = command.getOptionValueSource('prompts') === 'cli' ? options.prompts : undefined;
      return change(host, 'Hooks are on in', (record, root) => ({
        ...record,
        offIn: without(record, root),
        hooks: { ...record.hooks, enabled: true, prompts: chosen ?? record.hooks?.prompts ?? true },
      }));
    });
}

async function change(
  host: Host,
  done: string,
  changed: (record: ConnectionRecord, root: string) => ConnectionRecord,
): Promise<void> {
  await requirePerson(host);
  await withConnectionsLock(host.settings.dataDir, async () => {
    const { root, records } = await requireBound(host);
    for (const record of records) await writeConnection(host.settings.dataDir, changed(record, root));
    const clients = records.map(({ editor }) => editor).join(', ');
    process.stdout.write(`${pc.green('✔')} ${done} ${shownPath(root)}: ${clients}.\n`);
  });
}

const withRoot = ({ offIn = [] }: ConnectionRecord, root: string) => [...new Set([...offIn, root])];
const without = ({ offIn = [] }: ConnectionRecord, root: string) => offIn.filter((each) => each !== root);

function stateText({
  repository,
  clients,
}: {
  readonly repository: string;
  readonly clients: readonly HookState[];
}): string {
  return [
    pc.bold(repository),
    ...clients.map(
      ({ client, hooks, prompts }) => `  ${client.padEnd(12)}  hooks ${hooks}, prompts ${prompts}`,
    ),
  ].join('\n');
}
