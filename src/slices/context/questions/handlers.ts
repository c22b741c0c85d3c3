import type { Handlers } from '../../../spine/operations/handler.ts';
import type { ContextDeps } from '../ports.ts';
import type { questionOperations } from './operations.ts';
import type { Questions } from './questions.ts';

export function createQuestionHandlers(
  { db, feed }: Pick<ContextDeps, 'db' | 'feed'>,
  questions: Questions,
): Handlers<typeof questionOperations> {
  return {
    'questions.ask': async (uow, { input, principal }) => ({
      body: await questions.ask(uow, principal, input.body),
    }),

    'questions.answer': async ({ input, principal, signal }) => {
      const { wait = 0, project: projectId = principal.defaultProject } = input.query;
      const read = () =>
        db.read((reader) => questions.read(reader, principal, projectId, input.path.question_id));
      const { next: after } = await feed.newest({ projectId, limit: 1 });
      let found = await read();
      if (found.state !== 'waiting' || wait === 0) return { body: found };
      const stop = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]);
      for await (const _ of feed.follow({ projectId, types: ['inbox.*'], after, signal: stop })) {
        found = await read();
        if (found.state !== 'waiting') break;
      }
      return { body: found };
    },
  };
}
