import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { asPerson, withToken } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { askSecret, asksPassphrase } from '../presence.ts';
import type { DecideOptions } from './inbox-decide.ts';

/** As many as one request decides and one page lists. */
const AT_ONCE = 200;

export interface Several {
  readonly ids: readonly string[];
  /** All open requests that are like this one: the `like` of an item, or its id. */
  readonly like: string | undefined;
}

/** Decides many items with one look and one proof of presence; each keeps the digest with which it was shown. */
export async function decideSeveral(
  given: Host,
  { ids, like }: Several,
  verb: 'approve' | 'reject',
  options: DecideOptions,
): Promise<Body> {
  if (options.digest !== undefined || options.edits !== undefined) {
    throw cliErrors.bad_arguments({
      message: 'A digest and edits belong to one item.',
      next: 'Decide that item by itself, with its id alone.',
    });
  }
  const host = await asPerson(given);
  const seen = await withConnection(host, async (connection) => {
    const items =
      like === undefined ? await readEach(connection, host, ids) : await readAlike(connection, host, like);
    const open = items.filter(({ can_decide }) => can_decide);
    if (open.length === 0) {
      throw cliErrors.bad_arguments({
        message: 'None of these is yours to decide now.',
        next: 'List yours: baton inbox --mine',
      });
    }
    const locked = await confirmed(connection, host, verb, open, options);
    if (!locked) return { open };
    const passphrase = await askSecret('Passphrase');
    return { open, token: (await ask(connection, host, 'identity.login', { passphrase })).token as string };
  });
  const as = seen.token === undefined ? host : withToken(host, seen.token);
  return withConnection(as, async (connection) => {
    const results: Body[] = [];
    for (let at = 0; at < seen.open.length; at += AT_ONCE) {
      const answer = await ask(connection, host, 'inbox.decide_many', {
        decision: verb,
        decisions: seen.open.slice(at, at + AT_ONCE).map(({ id, digest }) => ({
          id,
          digest,
          ...(options.choice !== undefined && verb === 'approve' && { choice: options.choice }),
        })),
        ...(options.note !== undefined && { note: options.note }),
      });
      results.push(...(answer.results as Body[]));
    }
    const refused = results.filter(({ outcome }) => outcome === 'refused').length;
    return { decision: verb, decided: results.length - refused, refused, results };
  });
}

async function readEach(connection: Connection, host: Host, ids: readonly string[]): Promise<Body[]> {
  const items: Body[] = [];
  for (const id of new Set(ids)) items.push(await ask(connection, host, 'inbox.get', { id }));
  return items;
}

async function readAlike(connection: Connection, host: Host, named: string): Promise<Body[]> {
  const like = named.startsWith('like_')
    ? named
    : (await ask(connection, host, 'inbox.get', { id: named })).like;
  if (typeof like !== 'string') {
    throw cliErrors.bad_arguments({
      message: `${inline(named)} stands alone.`,
      next: 'Decide it by its id.',
    });
  }
  const items: Body[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Body = await ask(connection, host, 'inbox.list', {
      like,
      limit: AT_ONCE,
      sort: 'urgency',
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...(page.items as Body[]));
    cursor = page.next as string | null;
  }
  return items;
}

/** Whether a passphrase is needed; throws unless whoever looks is sure. */
async function confirmed(
  connection: Connection,
  host: Host,
  verb: string,
  items: readonly Body[],
  options: DecideOptions,
): Promise<boolean> {
  const me = await ask(connection, host, 'identity.whoami', {});
  const locked = items.some((item) => asksPassphrase(item, me));
  if (options.yes) return false;
  if (!process.stdin.isTTY || options.json) {
    throw cliErrors.bad_arguments({
      message: `You have not reviewed these ${items.length} items yet.`,
      next: `List them with \`baton inbox list --like ${items[0]?.like ?? 'LIKE'}\`; to ${verb} them as they are now, add --yes.`,
    });
  }
  process.stdout.write(`${items.map(line).join('\n')}\n`);
  if (locked) process.stdout.write(`${pc.dim('You will be asked for your passphrase once.')}\n`);
  const { confirm, isCancel } = await import('@clack/prompts');
  const sure = await confirm({
    message: `${verb === 'approve' ? 'Approve' : 'Reject'} these ${items.length}?`,
  });
  if (isCancel(sure) || !sure) {
    throw cliErrors.bad_arguments({ message: 'Nothing was decided.', next: 'The items are still open.' });
  }
  return locked;
}

function line({ id, risk, title, highlights }: Body): string {
  const values = ((highlights ?? []) as readonly Body[]).map(
    ({ name, value }) => `${name}=${inline(String(value))}`,
  );
  return `  ${pc.dim(String(id))} ${risk} ${inline(String(title))} ${pc.bold(values.join(' '))}`;
}

export function severalOutcome({ decision, decided, refused, results }: Body): string {
  const word = decision === 'reject' ? pc.yellow('Rejected') : pc.green('Approved');
  const left = (results as readonly Body[])
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ id, error }) => `\n  ${id}: ${(error as Body).message}`);
  return `${word} ${decided}${refused > 0 ? `, ${refused} not:` : '.'}${left.join('')}`;
}
