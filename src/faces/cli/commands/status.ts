import type { Command } from 'commander';
import pc from 'picocolors';
import { inline, named } from '../../../kernel/quoted.ts';
import type { ProjectFile } from '../connect/binding.ts';
import { boundRecords, requireProjectFile } from '../connect/bound-here.ts';
import { listConnections } from '../connect/connection-record.ts';
import { type HookState, hookState } from '../connect/hook-state.ts';
import type { Host } from '../host.ts';
import type { Decision } from '../init/recorded-past.ts';
import { ask, withConnection } from '../operation.ts';
import { print } from '../output.ts';

interface LiveSession {
  readonly callsign: string | null;
  readonly agent_id: string;
  readonly client: string;
  readonly last_seen_at: string;
  readonly files: readonly string[];
  readonly parent_session_id: string | null;
}

interface Status {
  readonly sessions: readonly LiveSession[];
  readonly waiting: number;
  readonly today: Readonly<Record<'denied' | 'asked' | 'would_deny' | 'would_ask', number>>;
  readonly denied: readonly Decision[];
}

const FILES = 5;
const DENIED = 5;

/** Everything in one screen: who is live on which files, what waits, what was denied today. */
export function addStatusCommand(program: Command, host: Host): void {
  program
    .command('status')
    .description('Show in one screen who is live on which files, what waits, and what was denied today.')
    .option('--project <id>', 'the project (default: this repository’s)')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { project: named } = options;
      const here = named === undefined ? requireProjectFile(host) : { project: named };
      const { project } = here;
      const clients = 'root' in here ? await clientsIn(host, here) : undefined;
      await withConnection(host, async (to) => {
        const status: Status = await ask(to, host, 'agents.status', { project_id: project });
        const { items } = await ask(to, host, 'atlas.list', { project, envelope: true });
        const guard = (items as { atlas_id: string; mode: string }[]).map(({ atlas_id, mode }) => ({
          atlas_id,
          mode,
        }));
        print({ project, guard, ...(clients && { clients }), ...status }, options.json, statusText);
      });
    });
}

async function clientsIn(host: Host, here: ProjectFile): Promise<HookState[]> {
  const records = boundRecords(await listConnections(host.settings.dataDir), here);
  return records.map((record) => hookState(record, here.root));
}

type Shown = Status & {
  readonly project: string;
  /** Of this repository; absent where another project was asked about. */
  readonly clients?: readonly HookState[];
  readonly guard: readonly { readonly atlas_id: string; readonly mode: string }[];
};

function statusText({ project, guard, clients, sessions, waiting, today, denied }: Shown): string {
  const enforced = guard.some(({ mode }) => mode === 'enforce');
  const rules = guard.length === 0 ? 'no rules' : enforced ? 'rules enforced' : 'rules not enforced';
  const would = enforced ? '' : `; would have been denied: ${today.would_deny}, asked: ${today.would_ask}`;
  return [
    `${pc.bold(named(project))}  ${pc.dim(rules)}`,
    ...(clients ? [clientsLine(clients)] : []),
    ...(sessions.length === 0 ? [pc.dim('  No session is live.')] : sessions.map(sessionLine)),
    `${pc.bold('Waiting')}  ${waiting === 0 ? 'nothing' : `${waiting} in \`baton inbox\``}`,
    `${pc.bold('Today')}    denied: ${today.denied}, asked: ${today.asked}${would}`,
    ...denied.slice(0, DENIED).map(deniedLine),
  ].join('\n');
}

function clientsLine(clients: readonly HookState[]): string {
  const named = (state: HookState['hooks']) =>
    clients.flatMap(({ client, hooks }) => (hooks === state ? [client] : [])).join(', ');
  const [on, off] = [named('on'), named('off')];
  const said =
    clients.length === 0
      ? `${pc.yellow('no client is connected here')}: \`baton connect CLIENT\``
      : [on && `on in ${on}`, off && `${pc.yellow(`off in ${off}`)}: \`baton hooks on\``]
          .filter(Boolean)
          .join('; ');
  return `${pc.bold('Hooks')}    ${said}`;
}

function sessionLine({
  callsign,
  agent_id,
  client,
  last_seen_at,
  files,
  parent_session_id,
}: LiveSession): string {
  const who = callsign ?? agent_id;
  const more = files.length > FILES ? ` and ${files.length - FILES} more` : '';
  const on = files.length === 0 ? pc.dim('no file yet') : `${files.slice(0, FILES).join(', ')}${more}`;
  const below = parent_session_id === null ? '' : '  ';
  return `  ${below}${pc.green('●')} ${who} ${pc.dim(`${client}, ${last_seen_at.slice(11, 16)} UTC`)}  ${on}`;
}

function deniedLine({ at, policy_id, what }: Decision): string {
  return `  ${pc.red('✖')} ${at.slice(11, 16)}  ${inline(what, 80)}  ${pc.dim(`by ${named(policy_id)}`)}`;
}
