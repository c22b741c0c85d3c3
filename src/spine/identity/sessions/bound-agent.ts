import type { Reader } from '../../storage/database.ts';
import { mayActAs } from '../access.ts';
import { identityErrors } from '../errors.ts';
import type { Actor, Principal } from '../principal.ts';
import { voiceFault } from '../voice.ts';
import type { Session } from './session.ts';
import { isSessionOwner } from './session-access.ts';
import { selectSession } from './session-store.ts';

declare const checked: unique symbol;

/**
 * The agent of a session, checked against the credential that names it. Nothing else makes one, so that no session can
 * have an agent that was only claimed.
 */
export interface BoundAgent {
  /** As sessions and traces show it. */
  readonly id: string;
  /** Who answers for it: limits count for this one, and only it is granted anything. Of a subagent, its parent's. */
  readonly bound: string;
  readonly [checked]: true;
}

function boundAgent(id: string, bound: string): BoundAgent {
  return { id, bound } as BoundAgent;
}

/** The credential's own actor needs no check. */
export function ownAgent({ id }: Actor): BoundAgent {
  return boundAgent(id, id);
}

/** Throws `session_not_owned` unless the credential is the agent's, speaks for it, or owns the session it is a child of. */
export async function bindAgent(
  reader: Reader,
  principal: Principal,
  named: { readonly agentId: string; readonly parentSessionId?: string | null | undefined },
  pointer = '/agent_id',
): Promise<BoundAgent> {
  const { agentId, parentSessionId } = named;
  const parent = parentSessionId ? await selectSession(reader, parentSessionId) : undefined;
  // Before the credential's own patterns: `claude-*` must not turn a subagent into somebody with limits of its own.
  const above = parent && isSessionOwner(principal, parent) ? answering(parent, agentId) : undefined;
  if (above !== undefined && mayActAs(principal, above)) return boundAgent(agentId, above);
  if (mayActAs(principal, agentId)) return boundAgent(agentId, agentId);
  throw identityErrors.session_not_owned(voiceFault(principal, agentId, pointer));
}

/** Who answers for a subagent called `<agent of the parent>/<name>`; undefined if that is not its name. */
function answering(parent: Session, agentId: string): string | undefined {
  const prefix = `${parent.agentId ?? parent.actor.id}/`;
  if (!agentId.startsWith(prefix) || agentId.length === prefix.length) return undefined;
  // A session from before agents were bound answers for nobody.
  return parent.agentId === null ? parent.actor.id : (parent.boundAgent ?? undefined);
}
