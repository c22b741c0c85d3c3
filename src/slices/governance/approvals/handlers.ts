import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { askAs, visibleApproval } from './ask.ts';
import { decideApproval } from './decide.ts';
import { selectGrants } from './grant-store.ts';
import { revokeGrant } from './grants.ts';
import type { approvalOperations } from './operations.ts';
import { selectApprovals } from './store.ts';
import { approvalView, grantView } from './views.ts';

export function createApprovalHandlers(deps: GovernanceDeps): Handlers<typeof approvalOperations> {
  const { clock, inbox, payloads } = deps;
  return {
    'approvals.list': async (reader, { input, principal }) => {
      const { status = 'pending', limit = 50, offset = 0, project } = input.query;
      const now = clock.now();
      const { approvals, total } = await selectApprovals(reader, payloads, {
        projectId: chosenProject(principal, project),
        status: status === 'all' ? undefined : status,
        limit,
        offset,
        now,
      });
      const items = [];
      for (const approval of approvals)
        items.push(await approvalView(reader, inbox, approval, now, principal));
      return { body: { items, total } };
    },

    'approvals.get': async (reader, { input, principal }) => {
      const approval = await visibleApproval(reader, deps, principal, input.path.approval_id);
      return { body: await approvalView(reader, inbox, approval, clock.now(), principal) };
    },

    'approvals.ask': async (uow, { input, principal }) => {
      const approval = await askAs(uow, deps, principal, input.path.approval_id, input.body.action_id);
      return { body: await approvalView(uow, inbox, approval, clock.now(), principal) };
    },

    'approvals.decide': async (uow, { input, principal }) => {
      const approval = await decideApproval(uow, deps, principal, input.path.approval_id, input.body);
      return { body: await approvalView(uow, inbox, approval, clock.now(), principal) };
    },

    'approvals.grants': async (reader, { input, principal }) => {
      const { covers, all = false, limit = 50, offset = 0, project } = input.query;
      const { grants, total } = await selectGrants(reader, {
        projectId: chosenProject(principal, project),
        covers,
        all,
        limit,
        offset,
        now: clock.now(),
      });
      const items = [];
      for (const grant of grants) items.push(await grantView(reader, grant));
      return { body: { items, total } };
    },

    'approvals.revoke': async (uow, { input, principal }) => {
      const grant = await revokeGrant(uow, deps, principal, input.path.approval_id);
      return { body: await grantView(uow, grant) };
    },
  };
}
