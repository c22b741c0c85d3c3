import { setTimeout as pause } from 'node:timers/promises';
import { asRecord, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';
import {
  extractObject,
  failed,
  type RuntimeAdapter,
  type RuntimeCall,
  type RuntimeOutcome,
  redact,
} from './adapter.ts';
import { type ProviderWire, providerWires } from './provider-wires.ts';

const SYSTEM =
  'You take one turn in a governed delivery run. Answer with one JSON object, the turn result, and nothing else.';
const MAX_ATTEMPTS = 3;
const BACKOFF_MS = 250;

/** A bare model behind an API: it reads the prompt, proposes or reviews, and cannot change the work tree. */
export const apiProxyAdapter: RuntimeAdapter = async (call) => {
  const { provider, model, api_key_env = call.runtime.auth_env } = call.runtime;
  const wire =
    isString(provider) && Object.hasOwn(providerWires, provider) ? providerWires[provider] : undefined;
  if (wire === undefined) return failed(`provider is not one of: ${Object.keys(providerWires).join(', ')}.`);
  if (!isString(model)) return failed('The runtime names no model.');
  const apiKey = isString(api_key_env) ? process.env[api_key_env] : '';
  if (apiKey === undefined) return failed(`The environment variable ${String(api_key_env)} is not set.`);
  const { url, headers, body } = wire.request({
    baseUrl: isString(call.runtime.base_url) ? call.runtime.base_url.replace(/\/+$/, '') : undefined,
    apiKey,
    model,
    maxOutputTokens:
      typeof call.runtime.max_output_tokens === 'number' ? call.runtime.max_output_tokens : 8192,
    system: SYSTEM,
    prompt: `${call.prompt}\n\n${call.context}`,
  });
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await ask(call, wire, url, headers, body);
    if (outcome.kind !== 'failed' || !outcome.retryable || attempt === MAX_ATTEMPTS) return outcome;
    await pause(BACKOFF_MS * 2 ** (attempt - 1));
  }
};

async function ask(
  call: RuntimeCall,
  wire: ProviderWire,
  url: string,
  headers: Record<string, string>,
  body: LooseRecord,
): Promise<RuntimeOutcome> {
  const limit = AbortSignal.timeout(call.timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]),
    });
    text = await response.text();
  } catch (error) {
    return failed(`The provider cannot be reached: ${redact(String(error))}`, !limit.aborted);
  }
  if (!response.ok) return refusedBy(response.status, text);
  const answer = tryParse(text);
  if (!isRecord(answer)) return failed('The provider did not answer with JSON.', true);
  const reply = wire.read(answer);
  const result = extractObject(reply.text);
  if (result === undefined) return failed('The model did not answer with a turn result.', true);
  return { kind: 'result', result: { ...result, cost: costOf(call, reply, asRecord(result.cost)) } };
}

/** Whether a retry can help: not with a wrong key, but with a busy provider. */
function refusedBy(status: number, text: string): RuntimeOutcome {
  const excerpt = redact(text);
  if (status === 401 || status === 403) return failed(`The provider refuses the key (${status}): ${excerpt}`);
  if (status === 429) return failed(`The provider limits the rate: ${excerpt}`, true);
  if (status >= 500) return failed(`The provider failed (${status}): ${excerpt}`, true);
  return failed(`The provider refuses the request (${status}): ${excerpt}`);
}

/** The cost comes from the provider's token count, not from what the model claims. */
function costOf(
  call: RuntimeCall,
  usage: { inputTokens: number; outputTokens: number },
  claimed: LooseRecord,
): LooseRecord {
  const pricing = asRecord(call.runtime.pricing);
  const price = (key: string) => (typeof pricing[key] === 'number' ? pricing[key] : 0);
  const usd =
    (usage.inputTokens * price('input_per_million_usd') +
      usage.outputTokens * price('output_per_million_usd')) /
    1e6;
  return { ...claimed, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, usd };
}
