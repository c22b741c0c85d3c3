import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { requireProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { countDecisions, type Decision, selectDecisions } from '../calls/store.ts';
import type { AgentsPorts } from '../ports.ts';
import { type LiveSession, liveSessions } from './live-sessions.ts';
import type { liveOperations } from './operations.ts';
import { activityOf } from './read-activity.ts';

const DAY_MICROS = 86_400 * 1_000_000;
const SESSIONS_SHOWN = 50;
const DENIED_SHOWN = 20;
const DECISIONS = 100;
const DAYS_BACK = 30;

export function createLiveHandlers({ clock, inbox }: AgentsPorts): Handlers<typeof liveOperations> {
  return {
    'agents.status': async (reader, { input, principal }) => {
      const projectId = input.path.project_id;
      requireProject(principal, projectId);
      const now = clock.now();
      const sinceMicros = now - DAY_MICROS;
      const counts = await countDecisions(reader, projectId, sinceMicros);
      const number = (verdict: Decision['verdict'], enforced: boolean) =>
        counts.find((each) => each.verdict === verdict && each.enforced === enforced)?.count ?? 0;
      const denied = {
        projectId,
        sinceMicros,
        verdict: 'deny',
        enforced: true,
        limit: DENIED_SHOWN,
      } as const;
      return {
        body: {
          sessions: (await liveSessions(reader, now, projectId, SESSIONS_SHOWN)).map(shownSession),
          waiting: await inbox.count(reader, { projects: [projectId], state: 'open', limit: 1 }),
          today: {
            denied: number('deny', true),
            asked: number('ask', true),
            would_deny: number('deny', false),
            would_ask: number('ask', false),
          },
          denied: (await selectDecisions(reader, denied)).map(shownDecision),
        },
      };
    },

    'agents.activity': async (reader, { input, principal }) => {
      const projectId = input.path.project_id;
      requireProject(principal, projectId);
      return { body: await activityOf(reader, clock.now(), projectId, input.query) };
    },

    'agents.decisions': async (reader, { input, principal }) => {
      const projectId = input.path.project_id;
      requireProject(principal, projectId);
      const { since, verdict, enforced, limit = DECISIONS } = input.query;
      const sinceMicros = (since && parseInstant(since)?.micros) || clock.now() - DAYS_BACK * DAY_MICROS;
      const found = await selectDecisions(reader, { projectId, sinceMicros, verdict, enforced, limit });
      return { body: { decisions: found.map(shownDecision) } };
    },
  };
}

function shownSession(live: LiveSession) {
  return {
    session_id: live.sessionId,
    parent_session_id: live.parentSessionId,
    callsign: live.callsign,
    agent_id: live.agentId,
    client: live.client,
    repository: live.root,
    started_at: formatMillis(live.started),
    last_seen_at: formatMillis(live.last),
    files: [...live.files],
  };
}

function shownDecision(decision: Decision) {
  return {
    decision_id: decision.decisionId,
    session_id: decision.sessionId,
    at: decision.at,
    tool: decision.tool,
    action_id: decision.actionId,
    verdict: decision.verdict,
    effect: decision.effect,
    policy_id: decision.policyId,
    atlas_id: decision.atlasId,
    atlas_version: decision.atlasVersion,
    reason: decision.reason,
    what: decision.shown,
    asked_in: decision.askedIn,
    ran: decision.ran,
  };
}
