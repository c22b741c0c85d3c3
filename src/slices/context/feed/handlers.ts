import type { Handlers } from '../../../spine/operations/handler.ts';
import { jsonAnswer } from '../answer.ts';
import type { ContextDeps } from '../ports.ts';
import { createFollow } from './follow.ts';
import type { feedOperations } from './operations.ts';

export function createFeedHandlers(deps: Pick<ContextDeps, 'db' | 'feed'>): Handlers<typeof feedOperations> {
  const follow = createFollow(deps);
  return {
    'context.events': ({ input, principal, signal }) => {
      const since = input.headers['last-event-id'] ?? input.query.since;
      const query = { ...input.query, since };
      return follow.stream({ principal, projectId: input.path.project_id, query, signal });
    },

    'context.changes': async ({ input, principal, signal }) => {
      const { path, query } = input;
      return jsonAnswer(await follow.page({ principal, projectId: path.project_id, query, signal }));
    },
  };
}
