import type { Command } from 'commander';
import pc from 'picocolors';
import { cited, inline } from '../../../kernel/quoted.ts';
import { asPerson, withToken } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { shownItem } from '../inbox-item.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { forPeople, print } from '../output.ts';
import { askSecret, asksPassphrase } from '../presence.ts';
import { decideSeveral, severalOutcome } from './inbox-decide-many.ts';
import { parentCommand } from './parent.ts';

export interface DecideOptions {
  readonly digest?: string;
  readonly note?: string;
  readonly edits?: string;
  readonly choice?: string;
  readonly like?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** A decision names the digest of what was seen, so an item that was not seen yet is shown first. */
export function addInboxDecideCommands(program: Command, host: Host): void {
  const inbox = parentCommand(program, 'inbox', 'Decisions that wait for a person.');
  const verb = (name: 'approve' | 'reject', description: string) =>
    inbox
      .command(name)
      .description(description)
      .argument('[ids...]', 'the item, or several')
      .option('--like <id>', 'all open requests that are like this one')
      .option('--digest <digest>', 'digest of the item as you saw it; without it, the item is shown first')
      .option('--note <text>', 'why')
      .option('--yes', 'decide on the item as it is now, without confirmation')
      .option('--json', 'print JSON');
  const decide = async (ids: string[], verb: 'approve' | 'reject', options: DecideOptions) => {
    const [id, ...more] = ids;
    if (id === undefined && options.like === undefined) {
      throw cliErrors.bad_arguments({ message: 'Name an item.', next: 'List yours: baton inbox --mine' });
    }
    if (id !== undefined && more.length === 0 && options.like === undefined)
      return print(await decideItem(host, id, verb, options), options.json, outcome);
    const decided = await decideSeveral(host, { ids, like: options.like }, verb, options);
    if (decided.refused > 0) process.exitCode = 1;
    return print(decided, options.json, severalOutcome);
  };
  verb('approve', 'Approve an item, bound to the digest of what you saw.')
    .option('--edits <json>', 'approve this instead, if the item allows edits')
    .option('--choice <id>', 'how much to approve, such as session: one of the choices that the item shows')
    .action((ids: string[], options: DecideOptions) => decide(ids, 'approve', options));
  verb('reject', 'Reject an item.').action((ids: string[], options: DecideOptions) =>
    decide(ids, 'reject', options),
  );
}

/** Decides with the credential of whoever runs the command, who proves to be there where the item asks for it. */
export async function decideItem(
  given: Host,
  id: string,
  verb: 'approve' | 'reject',
  options: DecideOptions,
): Promise<Body> {
  const host = await asPerson(given);
  const edits = options.edits === undefined ? undefined : readEdits(options.edits);
  const seen: Seen =
    options.digest === undefined
      ? await withConnection(host, (connection) => look(connection, host, id, verb, options))
      : { digest: options.digest };
  const as = seen.token === undefined ? host : withToken(host, seen.token);
  return withConnection(as, async (connection) => {
    return ask(connection, host, 'inbox.decide', {
      id,
      digest: seen.digest,
      decision: edits === undefined ? verb : 'approve_with_edits',
      ...(edits !== undefined && { edits }),
      ...(options.choice !== undefined && { choice: options.choice }),
      ...(options.note !== undefined && { note: options.note }),
    });
  });
}

interface Seen {
  readonly digest: string;
  /** Proves that the person is there, where the decision needs that. */
  readonly token?: string;
}

async function look(
  connection: Connection,
  host: Host,
  id: string,
  verb: string,
  options: DecideOptions,
): Promise<Seen> {
  const item: Body = await ask(connection, host, 'inbox.get', { id });
  if (options.yes) return { digest: item.digest };
  if (!process.stdin.isTTY || options.json) {
    throw cliErrors.bad_arguments({
      message: `You have not reviewed ${inline(id)} yet: ${cited(item.title)}.`,
      next: `Look at it with \`baton inbox show ${id}\`; to ${verb} it as it is now: baton inbox ${verb} ${id} --digest ${item.digest}`,
    });
  }
  const { digest } = item;
  process.stdout.write(`${forPeople(shownItem(item))}\n`);
  const locked = asksPassphrase(item, await ask(connection, host, 'identity.whoami', {}));
  if (locked) process.stdout.write(`${pc.dim('You will be asked for your passphrase.')}\n`);
  const { confirm, isCancel } = await import('@clack/prompts');
  const sure = await confirm({ message: question(verb, item, options.choice) });
  if (isCancel(sure) || !sure) {
    throw cliErrors.bad_arguments({ message: 'Nothing was decided.', next: 'The item is still open.' });
  }
  if (!locked) return { digest };
  const passphrase = await askSecret('Passphrase');
  return { digest, token: (await ask(connection, host, 'identity.login', { passphrase })).token };
}

/** What is about to be decided, in the words of the choice. */
function question(verb: string, { choices }: Body, wanted: string | undefined): string {
  if (verb !== 'approve') return 'Reject this?';
  const chosen = wanted === undefined ? choices?.[0] : choices?.find(({ id }: Body) => id === wanted);
  return chosen ? `Approve this? ${chosen.words}.` : 'Approve this?';
}

function readEdits(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw cliErrors.bad_arguments({
      message: 'The edits are not valid JSON.',
      next: "Quote them for the shell: --edits '{…}'.",
      cause,
    });
  }
}

function outcome({ decision, choices, state, title }: Body): string {
  const word = decision?.decision === 'reject' ? pc.yellow('Rejected') : pc.green('Approved');
  const effect = state === 'applied' ? 'done' : state;
  const chosen = choices?.find(({ id }: Body) => id === decision?.choice);
  const allows = chosen ? `\n${chosen.words}.` : '';
  return `${word}: ${title} ${pc.dim(`(${effect})`)}${allows}`;
}
