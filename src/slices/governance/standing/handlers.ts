import { requireProject, requireScope } from '../../../spine/identity/access.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { governanceErrors } from '../errors.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { standingOperations } from './operations.ts';
import { suggestAnswers } from './suggest.ts';

export function createStandingHandlers(deps: GovernanceDeps): Handlers<typeof standingOperations> {
  return {
    'standing.list': async (reader, { input, principal }) => {
      const { project } = input.query;
      if (project !== undefined) requireProject(principal, project);
      const projects = project === undefined ? principal.projects : [project];
      const found = await suggestAnswers(reader, deps, principal, projects);
      return { body: { items: found.map(({ answer }) => answer) } };
    },

    'standing.draft': async (reader, { input, principal }) => {
      // It shows the whole Atlas.
      requireScope(principal, 'atlas:read');
      const found = await suggestAnswers(reader, deps, principal, principal.projects);
      const asked = found.find(({ answer }) => answer.id === input.path.id);
      if (!asked) throw governanceErrors.standing_answer_not_found();
      const { answer, draft, replayed } = asked;
      return {
        body: { answer, new_policy_id: draft.policyId, manifest: { ...draft.manifest }, replayed },
      };
    },
  };
}
