import { bind } from '../../dispatch/registry.ts';
import { httpExecutor } from '../../governance/executors/http-executor.ts';
import { createGovernanceHandlers } from '../../governance/handlers.ts';
import { governanceMigrations } from '../../governance/migrations.ts';
import { governanceOperations } from '../../governance/operations.ts';
import type { CarpResolution } from '../../governance/schema/carp.ts';
import { governanceOnSpine } from '../../governance/service/on-spine.ts';
import { resolveInUnit } from '../../governance/service/resolve-request.ts';
import type { Governance } from '../../governance/service/service.ts';
import { formatMicros } from '../../kernel/instant.ts';
import { insider } from '../inside-call.ts';
import type { PolicyAnswer } from '../offers.ts';
import type { Slice } from '../slice.ts';
import type { Spine } from '../spine.ts';

const made = new WeakMap<Spine['db'], Governance>();

/** One for each open store: the inbox knows one effect for each kind of item. */
export function governanceOn(spine: Spine): Governance {
  const governance = made.get(spine.db) ?? createOn(spine);
  made.set(spine.db, governance);
  return governance;
}

function createOn(spine: Spine): Governance {
  const { allowedExecutorHosts: allowedHosts, lenientAtlases } = spine.settings;
  return governanceOnSpine(spine, {
    http: (url) => httpExecutor(url, { allowedHosts }),
    settings: { lenientAtlases, ...(spine.redact && { redact: spine.redact }) },
  });
}

export const governanceSlice: Slice = {
  migrations: governanceMigrations,
  compose(spine) {
    const { db, clock, ids, identity } = spine;
    const governance = governanceOn(spine);
    return {
      operations: bind(governanceOperations, createGovernanceHandlers(governance)),
      upkeep: async () => {
        await governance.recover();
      },
      offers: {
        async resolve(by, { session: ref, goal, action }) {
          const answer = await db.write(async (uow) => {
            const start = { actor: by.actor, agentId: by.actor.id, goal };
            const key = { projectId: by.projectId, scheme: 'run', value: ref };
            const session = await identity.sessionForRef(uow, key, start);
            return resolveInUnit(governance, uow, insider(by), {
              carp_version: '1.0',
              request_id: ids(),
              timestamp: formatMicros(clock.now()),
              operation: 'resolve',
              requester: { agent_id: by.actor.id, session_id: session.sessionId },
              task: { goal },
            });
          });
          if ('refused' in answer) return { allowed: false, waiting: false, reason: answer.refused.message };
          return { ...verdictOf(answer.done, action), resolutionId: answer.done.resolution_id };
        },
      },
    };
  },
};

function verdictOf(
  { decision, allowed_actions, denied_actions, constraints }: CarpResolution,
  action: string | undefined,
): Omit<PolicyAnswer, 'resolutionId'> {
  if (action === undefined) {
    const { type, reason } = decision;
    return {
      allowed: type === 'allow',
      waiting: type === 'requires_approval',
      reason: reason ?? `The decision is ${type}.`,
    };
  }
  if (!allowed_actions.some(({ action_id }) => action_id === action)) {
    const denied = denied_actions.find(({ action_id }) => action_id === action);
    const reason = denied?.reason ?? `No Atlas has the action ${action}.`;
    return { allowed: false, waiting: false, reason };
  }
  const waiting = constraints.some(
    ({ type, parameters }) =>
      type === 'require_approval' && (parameters?.action_ids as string[] | undefined)?.includes(action),
  );
  return { allowed: !waiting, waiting, reason: waiting ? 'A person must approve first.' : 'Allowed.' };
}
