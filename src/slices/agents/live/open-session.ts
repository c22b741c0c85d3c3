import { basename } from 'node:path';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { bindAgent, ownAgent } from '../../../spine/identity/sessions/bound-agent.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { isSessionOwner } from '../../../spine/identity/sessions/session-access.ts';
import { insertRef, selectRef, selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Client, HookMessage } from '../clients/event.ts';
import type { AgentsPorts } from '../ports.ts';
import { type AgentSession, saveAgentSession, selectConversation, touchSession } from './store.ts';

export interface OpenSession {
  readonly session: Session;
  readonly agent: AgentSession;
}

type Deps = Pick<AgentsPorts, 'clock' | 'sessions'>;

/**
 * The session of a client's conversation, opened when it is first seen. Only the credential whose actor began it may
 * speak in it. A subagent's is a child of the conversation's, with the name of its kind.
 */
export async function openAgentSession(
  uow: UnitOfWork,
  deps: Deps,
  principal: Principal,
  given: { readonly client: Client; readonly message: HookMessage; readonly root: string },
): Promise<OpenSession> {
  const { client, message, root } = given;
  const { subagent } = message;
  const main = { clientSession: bounded(message.session), parent: undefined };
  if (subagent !== undefined) {
    const parent = await open(uow, deps, principal, { client, root, ...main });
    const clientSession = bounded(`${message.session}/${subagent.id}`);
    return open(uow, deps, principal, {
      client,
      root,
      clientSession,
      parent: parent.session,
      kind: subagent.kind,
    });
  }
  if (message.parent !== undefined && message.parent !== message.session) {
    const parent = await open(uow, deps, principal, {
      ...main,
      client,
      root,
      clientSession: bounded(message.parent),
    });
    return open(uow, deps, principal, { ...main, client, root, parent: parent.session, kind: '' });
  }
  return open(uow, deps, principal, { client, root, ...main });
}

/** Whether the conversation is over, or is only now heard of by its end. */
export async function hasEnded(
  reader: Reader,
  projectId: string,
  client: string,
  { session, subagent, event }: HookMessage,
): Promise<boolean> {
  const clientSession = bounded(subagent === undefined ? session : `${session}/${subagent.id}`);
  const known = await selectConversation(reader, { projectId, client, clientSession });
  return known === undefined ? event.kind === 'end' : known.ended;
}

interface Wanted {
  readonly client: Client;
  readonly root: string;
  readonly clientSession: string;
  readonly parent: Session | undefined;
  readonly kind?: string;
}

async function open(uow: UnitOfWork, deps: Deps, principal: Principal, wanted: Wanted): Promise<OpenSession> {
  const { client, clientSession } = wanted;
  const projectId = principal.defaultProject;
  const conversation = { projectId, client: client.name, clientSession };
  const known = await selectConversation(uow, conversation);
  const now = deps.clock.now();
  if (known) {
    const session = await selectSession(uow, known.sessionId);
    if (!session || !isSessionOwner(principal, session)) throw identityErrors.session_not_owned();
    if (session.status === 'active') {
      // Exact enough for who is live, and spares most calls a write.
      if (now - known.lastMicros > 15_000_000) await touchSession(uow, known.sessionId, now);
      return { session, agent: known };
    }
  }
  const session = await begin(uow, deps, principal, wanted, known);
  const agent: AgentSession = {
    ...conversation,
    sessionId: session.sessionId,
    parentSessionId: wanted.parent?.sessionId ?? null,
    root: wanted.root,
    startedMicros: now,
    lastMicros: now,
    ended: false,
    times: (known?.times ?? 0) + 1,
    headPackage: known?.headPackage ?? null,
    coveredMicros: known?.coveredMicros ?? 0,
    toldMicros: 0,
    deposits: 0,
  };
  await saveAgentSession(uow, agent);
  return { session, agent };
}

/** A conversation that had ended is taken up in a session of its own, below the one before. */
async function begin(
  uow: UnitOfWork,
  { sessions }: Deps,
  principal: Principal,
  wanted: Wanted,
  former: AgentSession | undefined,
): Promise<Session> {
  const { client, parent } = wanted;
  const { actor, defaultProject: projectId } = principal;
  const value = former ? `${wanted.clientSession}~${former.times + 1}` : wanted.clientSession;
  const ref = { projectId, scheme: client.name, value };
  // Another face may have met the conversation first.
  const met = await selectRef(uow, projectId, ref.scheme, ref.value);
  if (met) {
    if (!isSessionOwner(principal, met)) throw identityErrors.session_not_owned();
    if (met.status === 'active') return traced(uow, sessions, principal, met, wanted);
  }
  const above = parent?.sessionId ?? former?.sessionId;
  const agent = parent
    ? await bindAgent(uow, principal, {
        agentId: `${parent.agentId ?? actor.id}/${kindName(wanted.kind)}`,
        parentSessionId: parent.sessionId,
      })
    : ownAgent(actor);
  const session = await sessions.startSession(uow, {
    projectId,
    actor,
    agent,
    goal: goalOf(wanted),
    ...(above !== undefined && { parentSessionId: above }),
  });
  if (!met) await insertRef(uow, ref, session.sessionId);
  return session;
}

async function traced(
  uow: UnitOfWork,
  sessions: Deps['sessions'],
  { actor }: Principal,
  session: Session,
  wanted: Wanted,
): Promise<Session> {
  return sessions.beginTrace(uow, session, { agent: ownAgent(actor), goal: goalOf(wanted) });
}

/** Hashed for good, so it has nobody's words in it. */
function goalOf({ client, root }: Wanted): string {
  return `Work in ${basename(root).slice(0, 100) || 'a repository'} with ${client.title}.`;
}

function kindName(kind: string | undefined): string {
  return (kind ?? '').replaceAll(/[^\w.:-]+/g, '-').slice(0, 60) || 'subagent';
}

const LONGEST = 300;

function bounded(id: string): string {
  return id.slice(0, LONGEST);
}
