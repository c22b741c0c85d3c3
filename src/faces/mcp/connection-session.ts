import type { Principal } from '../../spine/identity/principal.ts';
import type { FlatInput } from './call.ts';

/** The Session that stands for one connection in one project; undefined where the credential may have none. */
export type SessionFor = (
  principal: Principal,
  connection: string,
  projectId: string,
) => Promise<string | undefined>;

/** What belongs to the session of whoever calls, unless they name another. */
const IN_SESSION: ReadonlySet<string> = new Set([
  'packages.write',
  'context.brief',
  'carp.may',
  'carp.offers',
  'carp.perform',
  'questions.ask',
]);

/** Each connection has a session of its own: two clients with one key never speak under each other's callsign. */
export async function withSession(
  sessionFor: SessionFor | undefined,
  call: {
    readonly operation: string;
    readonly input: FlatInput;
    readonly principal: Principal;
    readonly connection: string | undefined;
  },
): Promise<FlatInput> {
  const { operation, input, principal, connection } = call;
  const asked = sessionFor && connection !== undefined && IN_SESSION.has(operation);
  if (!asked || input.session_id !== undefined) return input;
  const project = input.project ?? input.project_id ?? principal.defaultProject;
  const sessionId = await sessionFor(principal, connection, String(project));
  return sessionId === undefined ? input : { ...input, session_id: sessionId };
}
