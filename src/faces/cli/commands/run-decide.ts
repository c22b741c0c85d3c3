import { setTimeout as pause } from 'node:timers/promises';
import { inline } from '../../../kernel/quoted.ts';
import { deliveryErrors } from '../../../slices/delivery/errors.ts';
import type { Attachment } from '../../../slices/delivery/repository/keep.ts';
import { asPerson } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { decideItem } from './inbox-decide.ts';

const LOOK_MS = 250;
const LOOKS = 240;

export interface AttachedDecision {
  readonly verdict: 'approve' | 'reject';
  /** Of the inbox items that can be meant. */
  readonly kinds: readonly string[];
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

/** Decides what an attached run waits for, in its inbox. Returns false if nothing there asks. */
export async function decideAttached(
  host: Host,
  attached: Attachment,
  runId: string | null,
  decision: AttachedDecision,
): Promise<boolean> {
  if (decision.by !== undefined) {
    throw cliErrors.bad_arguments({
      message: 'The run is attached to a project: who decides is who the credential says.',
      next: 'Leave --by out.',
    });
  }
  const item = await withConnection(host, async (connection) => {
    await ask(connection, host, 'delivery.sync', { id: attached.repository_id });
    const { items } = await ask(connection, host, 'inbox.list', { state: 'open', limit: 200 });
    return (items as Body[]).find(
      ({ kind, subject }) =>
        decision.kinds.includes(kind) && subject?.id === `${attached.repository_id}/${runId}`,
    );
  });
  if (item === undefined) return false;
  const yes = !process.stdin.isTTY;
  const note = decision.note;
  await decideItem(host, item.id, decision.verdict, { yes, ...(note !== undefined && { note }) });
  await applied(host, item.id);
  return true;
}

/** Carrying the decision out may take the gate's actions a while. */
async function applied(host: Host, id: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const item = await withConnection(host, (connection) => ask(connection, host, 'inbox.get', { id }));
    if (item.state === 'failed') throw failureOf(String(item.reason));
    if (item.state !== 'decided') return;
    await pause(LOOK_MS);
  }
}

/** The decision stands, but what it allows could not be done. */
function failureOf(reason: string): Error {
  const error = Object.entries(deliveryErrors).find(([code]) => code === reason)?.[1];
  if (typeof error === 'function') return error();
  return deliveryErrors.gate_action_failed({
    message: `It was decided, but could not be carried out: ${inline(reason)}.`,
  });
}

/** Requires a person's credential, for what no item of the inbox asks about. */
export async function requirePersonsCredential(host: Host): Promise<string> {
  const as = await asPerson(host);
  const me = await withConnection(as, (connection) => ask(connection, as, 'identity.whoami', {}));
  if (me.actor_type === 'human') return String(me.actor_id);
  throw cliErrors.bad_arguments({
    message: 'The run is attached to a project, and this credential is no person’s.',
    next: 'Use a person’s credential, or decide in the dashboard (`baton open`).',
  });
}
