import { BatonError } from '../../../kernel/error.ts';
import { readPlain } from '../../../kernel/json/reader.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { guardedPost, type PostSettings } from '../../../spine/outbound/guarded-post.ts';
import { governanceErrors } from '../errors.ts';
import type { Executor } from './executors.ts';

/** Posts the call as JSON; a 2xx answer is the result, anything else a failure. */
export function httpExecutor(url: URL, settings: PostSettings = {}): Executor {
  return async (call) => {
    const body = writeJson({
      execution_id: call.executionId,
      action_id: call.actionId,
      parameters: call.parameters,
      session_id: call.sessionId,
      agent_id: call.agentId,
    });
    const headers = { 'idempotency-key': call.idempotencyKey ?? call.executionId };
    const answer = await guardedPost(url, body, headers, call.signal, settings);
    if (answer.status >= 300 && answer.status < 400) {
      throw governanceErrors.execution_error({
        message: 'The executor answered with a redirect, which is not followed.',
      });
    }
    if (answer.status < 200 || answer.status >= 300) {
      throw governanceErrors.execution_error({
        message: `The executor answered ${answer.status}.`,
        details: { status: answer.status },
      });
    }
    if (answer.text === '') return null;
    try {
      return readPlain(answer.text);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      throw governanceErrors.execution_error({ message: 'The executor did not answer JSON.', cause: error });
    }
  };
}
