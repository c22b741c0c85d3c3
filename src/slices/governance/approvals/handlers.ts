import { chosenProject } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { GovernanceDeps } from '../ports.ts';
import { askAs, visibleApproval } from './ask.ts';
import { decideApproval } from './decide.ts';
import type { approvalOperations } from './operations.ts';
import { selectApprovals } from './store.ts';
import { approvalView } from './view.ts';

export function createApprovalHandlers(deps: GovernanceDeps): Handlers<typeof approvalOperations> {
  const { clock, payloads } = deps;
  return {
    'approvals.list': async (reader, { input, principal }) => {
      const { status = 'pending', limit = 50, project } = input.query;
      const now = clock.now();
      const items = await selectApprovals(reader, payloads, {
        projectId: chosenProject(principal, project),
        status: status === 'all' ? undefined : status,
        limit,
        now,
      });
      return { body: { items: items.map((each) => approvalView(each, now)), total: items.length } };
    },

    'approvals.get': async (reader, { input, principal }) => {
      const approval = await visibleApproval(reader, deps, principal, input.path.approval_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.ask': async (uow, { input, principal }) => {
      const approval = await askAs(uow, deps, principal, input.path.approval_id, input.body.action_id);
      return { body: approvalView(approval, clock.now()) };
    },

    'approvals.decide': async (uow, { input, principal }) => {
      const approval = await decideApproval(uow, deps, principal, input.path.approval_id, input.body);
      return { body: approvalView(approval, clock.now()) };
    },
  };
}
