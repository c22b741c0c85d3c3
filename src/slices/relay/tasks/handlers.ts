import { formatMicros } from '../../../kernel/instant.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Operator } from '../exchanges/operator.ts';
import type { taskOperations } from './operations.ts';
import { selectTasks } from './store.ts';

export function createTaskHandlers(operator: Operator): Handlers<typeof taskOperations> {
  return {
    'relay.task.get': async ({ principal, input: { path }, signal }) => ({
      body: await operator.task(principal, 'tasks/get', path.task_id, signal),
    }),
    'relay.task.cancel': async ({ principal, input: { path }, signal }) => ({
      body: await operator.task(principal, 'tasks/cancel', path.task_id, signal),
    }),
    'relay.tasks': async (reader, { principal, input: { query } }) => {
      const rows = await selectTasks(reader, principal.defaultProject, {
        limit: query.limit ?? 50,
        peerId: query.peer_id,
      });
      const items = rows.map(({ project_id: _, span_id: _span, opened_us, updated_us, ...row }) => ({
        ...row,
        opened_at: formatMicros(opened_us),
        updated_at: formatMicros(updated_us),
      }));
      return { body: { items } };
    },
  };
}
