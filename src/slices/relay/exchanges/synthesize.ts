import { PlainAnswer } from '../../../spine/operations/plain.ts';
import { isStreaming } from '../a2a/methods.ts';
import { observeResult, textOf } from '../a2a/observe.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { eventFrame, resultResponse } from '../a2a/reply.ts';
import { resultTo10 } from '../a2a/translate/operation.ts';
import type { StartOptions } from '../spans/tracer.ts';
import { type ExchangeFacts, startExchange, type TraceDeps } from './trace.ts';

/**
 * A completed task for a message that no peer takes: a relay can be tried out alone, and its spans looked at. Nothing
 * was done, and the answer says so.
 */
export function synthesizedAnswer(
  deps: TraceDeps & { readonly ids: () => string },
  facts: ExchangeFacts,
  call: A2aRequest,
  parent: StartOptions,
): PlainAnswer {
  const streaming = isStreaming(call.operation);
  const said = textOf(facts.message?.parts ?? []);
  const task = {
    kind: 'task',
    id: deps.ids(),
    contextId: facts.message?.contextId ?? deps.ids(),
    status: { state: 'completed', timestamp: new Date(deps.clock.now() / 1000).toISOString() },
    artifacts: [
      {
        artifactId: 'synthesized',
        parts: [{ kind: 'text', text: `No agent ${facts.target} is registered. You said: ${said}` }],
      },
    ],
  };
  const trace = startExchange(deps, facts, parent);
  const observed = observeResult(task);
  if (observed) trace.observe(observed);
  trace.noteInput(0);
  trace.task.set({ relayMode: streaming ? 'synthesize-stream' : 'synthesize' });
  // Nobody was call, so there is no forward.
  const spans = trace.complete().filter((span) => span !== trace.forward);
  for (const span of spans) deps.tracer.answered(facts.projectId, span, span);
  deps.tracer.endTogether(facts.projectId, spans);
  const result = call.version === '1.0' ? resultTo10(call.operation, task) : task;
  if (!streaming) return resultResponse(call, result);
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
  return new PlainAnswer(200, headers, eventFrame(call, { result }));
}
