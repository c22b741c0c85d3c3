import { formatMicros } from '../../../kernel/instant.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';
import { visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import type { GovernanceDeps } from '../ports.ts';
import { settle } from '../resolution/admission.ts';
import { resolveRequest } from '../resolution/resolve.ts';
import type { CarpRequest, CarpResolution } from '../resolution/schema.ts';
import type { OffersQuestion } from './schema.ts';

/** Whoever asks without a session gets one that stands for its actor, for as long as nobody ends it. */
const SCHEME = 'actor';

type Asking = Pick<OffersQuestion, 'session_id' | 'project'> & { readonly goal?: string | undefined };

export interface Asker {
  readonly session: Session;
  envelope(operation: CarpRequest['operation']): CarpRequest;
  resolve(task?: Omit<NonNullable<CarpRequest['task']>, 'goal'>): Promise<CarpResolution>;
}

/** Finds the session and fills in everything of a CARP request that the caller need not say. */
export async function askerOf(
  deps: GovernanceDeps,
  principal: Principal,
  asking: Asking,
  otherwise: string,
): Promise<Asker> {
  const session = await sessionOf(deps, principal, asking);
  const goal = asking.goal ?? session.goal ?? otherwise;
  const envelope = (operation: CarpRequest['operation']): CarpRequest => ({
    carp_version: '1.0',
    request_id: deps.ids(),
    timestamp: formatMicros(deps.clock.now()),
    operation,
    requester: { agent_id: session.agentId ?? principal.actor.id, session_id: session.sessionId },
    task: { goal },
  });
  return {
    session,
    envelope,
    async resolve(task) {
      const request = { ...envelope('resolve'), task: { ...task, goal } };
      return settle(await deps.db.write((uow) => resolveRequest(uow, deps, principal, request)));
    },
  };
}

async function sessionOf(deps: GovernanceDeps, principal: Principal, asking: Asking): Promise<Session> {
  const { session_id: named, project } = asking;
  if (named !== undefined) {
    return deps.db.read((reader) => visibleSession(reader, principal, named.toLowerCase()));
  }
  const { actor } = principal;
  const projectId = chosenProject(principal, project);
  const ref = { projectId, scheme: SCHEME, value: `${actor.type}:${actor.id}` };
  return deps.db.write((uow) => deps.sessions.liveSessionForRef(uow, ref, { actor }));
}
