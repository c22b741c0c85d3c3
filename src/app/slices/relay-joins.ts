/** What the relay asks of the slices before it: policy for a message, and a package for what came of it. */
import { BatonError } from '../../kernel/error.ts';
import type { PackageDraft } from '../../slices/context/slice.ts';
import type { CompletedTask, DepositHandoff, ResolveMessage } from '../../slices/relay/ports.ts';
import { needed, type Offers } from '../offers.ts';

export function relayJoins(offers: Partial<Offers>): { resolve: ResolveMessage; deposit: DepositHandoff } {
  const resolve = needed(offers, 'resolveShared');
  const deposit = needed(offers, 'deposit');
  return {
    async resolve({ projectId, actor, peerId, action, method, contextId }) {
      const answer = await resolve(
        { projectId, actor },
        {
          // One for each speaker in a conversation, so that what was approved is found when the message is sent again.
          session: `a2a/${contextId ?? peerId}/${actor.id}`,
          // What is said stays in the spans: a goal is hashed for good.
          goal: `Speak to the agent ${peerId} (${method}).`,
          action,
          parameters: { peer: peerId, method, context: contextId ?? null },
        },
      );
      return answer.allowed
        ? { allowed: true, resolutionId: answer.resolutionId, record: answer.record }
        : { allowed: false, reason: `Policy does not allow the message: ${answer.reason}` };
    },
    async deposit(uow, task) {
      const by = { projectId: task.projectId, actor: task.actor };
      try {
        await deposit(uow, by, packageOf(task));
      } catch (error) {
        if (isRefusal(error, 'secret_found')) await deposit(uow, by, withoutWords(task));
        else if (!isRefusal(error, 'project_archived')) throw error;
      }
    },
  };
}

const TITLE_CHARACTERS = 200;

function packageOf(task: CompletedTask): PackageDraft {
  const [title = ''] = task.request.trim().split('\n');
  return {
    ...withoutWords(task),
    title: [...`${task.peerId}: ${title}`].slice(0, TITLE_CHARACTERS).join(''),
    description: task.reply,
  };
}

/** What a project that takes no secrets is told of a task that seems to hold one. */
function withoutWords({ peerId, taskId, contextId, traceId }: CompletedTask): PackageDraft {
  return {
    package_id: `a2a.${traceId}`,
    title: `${peerId} completed a task`,
    tags: ['a2a', peerId],
    'x-a2a': { peer_id: peerId, task_id: taskId, context_id: contextId ?? null, trace_id: traceId },
  };
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof BatonError && error.code === code;
}
