import { isRecord, isString } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';
import { failed, type RuntimeAdapter, redact, runtimeHeaders, turnRequest } from './adapter.ts';

const TIMEOUT_MS = 120_000;

/** An agent behind an HTTP address: the turn is posted, the response is the turn result. */
export const remoteAgentAdapter: RuntimeAdapter = async (call) => {
  const { url, timeout_ms } = call.runtime;
  if (!isString(url)) return failed(`Runtime "${call.turn.runtime_id}" has no url.`);
  const resolved = runtimeHeaders(call.runtime.headers);
  if ('missing' in resolved) return failed(`The environment variable ${resolved.missing} is not set.`);
  const patience = Math.min(typeof timeout_ms === 'number' ? timeout_ms : TIMEOUT_MS, call.timeoutMs);
  const limit = AbortSignal.timeout(patience);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...resolved.headers },
      body: JSON.stringify(turnRequest(call)),
      redirect: 'error',
      signal: call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]),
    });
    const body = await response.text();
    if (!response.ok)
      return failed(
        `The agent answered ${response.status}: ${redact(body)}`,
        response.status >= 500 || response.status === 429,
      );
    const result = tryParse(body);
    return isRecord(result)
      ? { kind: 'result', result }
      : failed('The agent did not answer with a JSON object.', true);
  } catch (error) {
    return failed(
      limit.aborted ? `The agent did not answer within ${patience} ms.` : redact(String(error)),
      true,
    );
  }
};
