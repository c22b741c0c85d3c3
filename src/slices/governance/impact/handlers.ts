import { withWorkDone } from '../../../platform/bounded-work/work-needed.ts';
import { chosenProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import { isSessionOwner, visibleSession } from '../../../spine/identity/sessions/session-access.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { requireSound } from '../atlases/load.ts';
import { governanceErrors } from '../errors.ts';
import { parseMoment } from '../policies/rules/when/moment.ts';
import type { GovernanceDeps } from '../ports.ts';
import { impactOnProject } from './measure.ts';
import type { impactOperations } from './operations.ts';
import type { ChangedDecision } from './schema.ts';

export function createImpactHandlers(deps: GovernanceDeps): Handlers<typeof impactOperations> {
  return {
    'atlas.impact': async ({ input, principal, document }) => {
      const { project, since, until, session_id: sessionId, guardrail, limit } = input.query;
      const projectId = chosenProject(principal, project);
      const checked = await withWorkDone(deps.work, async () => deps.checkAtlas(document?.value ?? null));
      const next = requireSound(checked);
      if (sessionId !== undefined) {
        await deps.db.read((reader) => visibleSession(reader, principal, sessionId.toLowerCase()));
      }
      const impact = await impactOnProject(deps, {
        projectId,
        next,
        guardrail,
        sessionId: sessionId?.toLowerCase(),
        from: momentOf(deps, since, '/since'),
        to: momentOf(deps, until, '/until'),
        listed: limit,
      });
      return { body: { ...impact, changed: await shownTo(deps, principal, impact.changed) } };
    },
  };
}

function momentOf({ clock }: GovernanceDeps, text: string | undefined, pointer: string) {
  if (text === undefined) return undefined;
  const moment = parseMoment(/^\d+[smhdw]$/.test(text) ? `now-${text}` : text);
  if (!moment) throw governanceErrors.invalid_moment({ pointer, details: { given: text } });
  return moment(clock.now());
}

/** Parameters are for whoever made the call, and for those who see them in the inbox anyway. */
async function shownTo(
  { db }: GovernanceDeps,
  principal: Principal,
  changed: readonly ChangedDecision[],
): Promise<ChangedDecision[]> {
  if (grantsScope(principal.scopes, 'approvals:decide')) return [...changed];
  const own = new Map<string, boolean>();
  for (const id of new Set(changed.map(({ session_id }) => session_id))) {
    const session = await db.read((reader) => selectSession(reader, id));
    own.set(id, session !== undefined && isSessionOwner(principal, session));
  }
  return changed.map(({ parameters, ...rest }) =>
    parameters !== undefined && own.get(rest.session_id) ? { ...rest, parameters } : rest,
  );
}
