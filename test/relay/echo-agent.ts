import { setTimeout as sleep } from 'node:timers/promises';
import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor } from '@a2a-js/sdk/server';
import { sdkMessage, wordsOf } from './sdk-message.ts';

/** Answers by the first word: `fail`, `reject`, `ask`, `message`, `wait`; anything else is echoed in three pieces. */
export function echoAgent(beforePiece: (piece: number) => Promise<void>): AgentExecutor {
  const canceled = new Set<string>();
  return {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context;
      const said = wordsOf(userMessage.parts);
      const say = (text: string) =>
        sdkMessage(Role.ROLE_AGENT, text, { messageId: `m-${taskId}`, contextId, taskId });
      const status = (state: TaskState, text?: string) =>
        bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: { state, message: text ? say(text) : undefined, timestamp: undefined },
            metadata: undefined,
          }),
        );
      if (said.startsWith('message')) {
        bus.publish(AgentEvent.message({ ...say('just a message'), taskId: '' }));
        bus.finished();
        return;
      }
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      );
      status(TaskState.TASK_STATE_WORKING);
      if (said.startsWith('reject')) status(TaskState.TASK_STATE_REJECTED, 'no');
      else if (said.startsWith('fail')) status(TaskState.TASK_STATE_FAILED, 'broken');
      else if (said.startsWith('ask')) status(TaskState.TASK_STATE_INPUT_REQUIRED, 'which one?');
      else if (said.startsWith('wait')) {
        for (let left = 100; left > 0 && !canceled.has(taskId); left -= 1) await sleep(50);
        status(canceled.has(taskId) ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_COMPLETED);
      } else {
        for (const [at, piece] of ['echo: ', said, '!'].entries()) {
          await beforePiece(at);
          bus.publish(
            AgentEvent.artifactUpdate({
              taskId,
              contextId,
              artifact: {
                artifactId: 'a',
                name: '',
                description: '',
                parts: say(piece).parts,
                metadata: undefined,
                extensions: [],
              },
              append: at > 0,
              lastChunk: at === 2,
              metadata: undefined,
            }),
          );
        }
        status(TaskState.TASK_STATE_COMPLETED);
      }
      bus.finished();
    },
    async cancelTask(taskId) {
      canceled.add(taskId);
    },
  };
}
