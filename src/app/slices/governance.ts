import { formatMicros } from '../../kernel/instant.ts';
import { httpExecutor } from '../../slices/governance/executors/http-executor.ts';
import { createGovernanceHandlers } from '../../slices/governance/handlers.ts';
import { governanceMigrations } from '../../slices/governance/migrations.ts';
import { governanceOperations } from '../../slices/governance/operations.ts';
import type { CarpResolution } from '../../slices/governance/schema/carp.ts';
import { governanceOnSpine } from '../../slices/governance/service/on-spine.ts';
import { resolveInUnit } from '../../slices/governance/service/resolve-request.ts';
import type { Governance } from '../../slices/governance/service/service.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { insider } from '../../spine/identity/on-behalf.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
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
          return db.write(async (uow) => {
            const start = { actor: by.actor, agentId: by.actor.id, goal };
            const key = { projectId: by.projectId, scheme: 'run', value: ref };
            const session = await identity.sessionForRef(uow, key, start);
            const resolved = await resolveInUnit(governance, uow, insider(by), {
              carp_version: '1.0',
              request_id: ids(),
              timestamp: formatMicros(clock.now()),
              operation: 'resolve',
              requester: { agent_id: by.actor.id, session_id: session.sessionId },
              task: { goal },
            });
            if ('refused' in resolved) {
              return { allowed: false, waiting: false, reason: resolved.refused.message };
            }
            const verdict = verdictOf(resolved.done, action);
            if (verdict.waiting) await askForAll(governance, uow, resolved.done, action);
            return { ...verdict, resolutionId: resolved.done.resolution_id };
          });
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
  const waiting = waitingApprovals(constraints, action).length > 0;
  return { allowed: !waiting, waiting, reason: waiting ? 'A person must approve first.' : 'Allowed.' };
}

/** Whoever asks this way means to act: what policy wants a person for stands in the inbox from now on. */
async function askForAll(
  governance: Governance,
  uow: UnitOfWork,
  { constraints }: CarpResolution,
  action: string | undefined,
): Promise<void> {
  for (const approvalId of waitingApprovals(constraints, action)) {
    await governance.approvals.askForOffered(uow, approvalId, action);
  }
}

/** The approvals that stand before an action, or before all of them. */
function waitingApprovals(constraints: CarpResolution['constraints'], action: string | undefined): string[] {
  return constraints.flatMap(({ type, parameters }) => {
    if (type !== 'require_approval') return [];
    const actionIds = (parameters?.action_ids ?? []) as readonly string[];
    return action === undefined || actionIds.includes(action) ? [String(parameters?.approval_id)] : [];
  });
}
