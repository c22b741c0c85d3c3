import type { Command } from 'commander';
import pc from 'picocolors';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { asPerson, isInteractive } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import { type Connection, EXIT, type Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { planText, replayText } from '../replay-text.ts';
import { parentCommand } from './parent.ts';

interface ReplayOptions {
  readonly span?: string;
  readonly to?: string[];
  readonly altered?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const TRACE_ID = /^[0-9a-f]{32}$/;
const REFERENCE = /^(github|gitlab|slack|linear|channel):/;
const WAIT_SECONDS = 20;
const PAGE = 100;

export function addRelayReplayCommand(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .command('replay')
    .description('Send captured messages again and show what differs: first the plan, then the messages.')
    .argument('<source>', 'a trace id, a session id, or a reference such as github:owner/repo#1')
    .option('--span <id>', 'of a trace, only the message of this span')
    .option('--to <agents...>', 'the agent to send to: a name, or old=new for each')
    .option('--altered', 'also send messages of which secrets are masked, as they are kept')
    .option('--dry-run', 'show the plan and send nothing')
    .option('--yes', 'do not ask before sending')
    .option('--json', 'print JSON')
    .action(async (source: string, options: ReplayOptions) => {
      process.exitCode = await replay(host, source, options);
    });
}

/** Ends with 0 if every message was sent that its plan says can be, and with 1 if one was not. */
async function replay(host: Host, given: string, options: ReplayOptions): Promise<number> {
  const source = await withConnection(host, (connection) => sourceOf(connection, host, given, options));
  const plan = await withConnection(host, (connection) => ask(connection, host, 'relay.replay.plan', source));
  if (options.dryRun) {
    print(plan, options, planText);
    return EXIT.ok;
  }
  if (!options.json) process.stdout.write(`${planText(plan)}\n`);
  if (plan.to_send === 0)
    throw cliErrors.bad_arguments({
      message: 'None of these messages can be sent again.',
      next: 'Each line above says why. `--to` names another agent; `--altered` sends what is masked as it is kept.',
    });
  if (!options.yes && !(await isWanted(plan.to_send))) return EXIT.error;
  return withConnection(await asPerson(host), async (connection) => {
    const { replay_id } = await ask(connection, host, 'relay.replay', source);
    const done = await followed(connection, host, replay_id);
    print(done, options, replayText);
    return done.state === 'ended' && done.sent === plan.to_send ? EXIT.ok : EXIT.error;
  });
}

async function sourceOf(
  connection: Connection,
  host: Host,
  given: string,
  { span, to, altered }: ReplayOptions,
): Promise<Body> {
  const more = { ...(to && { to }), ...(altered && { altered }) };
  if (TRACE_ID.test(given)) return { trace_id: given, ...(span && { span_id: span }), ...more };
  const session_id = REFERENCE.test(given)
    ? await ask(connection, host, 'relay.session.derive', { reference: given })
    : given;
  return { session_id, ...more };
}

/** Agents act on what they are sent: nobody sends it by pressing the wrong key. */
async function isWanted(count: number): Promise<boolean> {
  if (!isInteractive())
    throw cliErrors.bad_arguments({
      message: 'Nobody is there to be asked whether the messages are to be sent.',
      next: 'Look at the plan with --dry-run, then add --yes.',
    });
  const { confirm } = await import('@clack/prompts');
  const message = `Send ${count === 1 ? 'this message' : `these ${count} messages`} now? What agents do with them, they do.`;
  return (await confirm({ message, initialValue: false })) === true;
}

/** Until it is over; an interrupt stops it. */
async function followed(connection: Connection, host: Host, replayId: string): Promise<Body> {
  const asked = { replay_id: replayId, limit: PAGE };
  process.once('SIGINT', () => void ask(connection, host, 'relay.replay.stop', { replay_id: replayId }));
  let page = await ask(connection, host, 'relay.replay.show', { ...asked, wait: WAIT_SECONDS });
  while (page.state === 'running') {
    process.stderr.write(pc.dim(`${page.sent} of ${page.messages} sent …\n`));
    page = await ask(connection, host, 'relay.replay.show', { ...asked, wait: WAIT_SECONDS });
  }
  return page;
}

function print(body: Body, { json }: ReplayOptions, text: (body: Body) => string): void {
  process.stdout.write(`${json ? visibleJson(JSON.stringify(body)) : text(body)}\n`);
}
