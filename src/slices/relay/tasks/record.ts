import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { textOf } from '../a2a/observe.ts';
import { isTerminal } from '../a2a/task-state.ts';
import type { Exchange, ExchangeDeps } from '../exchanges/exchange.ts';
import type { ExchangeTrace } from '../exchanges/trace.ts';
import type { PlainAttributes } from '../otlp/model.ts';

/** The journal keeps where tasks begin and end, by digest; what was said stands in the spans. */
export async function recordTask(
  { recordEvent, hasher, deposit }: ExchangeDeps,
  uow: UnitOfWork,
  exchange: Exchange,
  trace: ExchangeTrace,
): Promise<PlainAttributes | undefined> {
  const { taskId, contextId, state } = trace.standing;
  const { projectId, peer, message } = exchange;
  if (!message || !taskId || !state) return undefined;
  const actor = exchange.principal?.actor ?? { id: 'open', type: 'script' as const };
  const { traceId } = trace.task.context;
  const payload: JsonObject = {
    task_id: taskId,
    peer_id: peer.id,
    context_id: contextId ?? null,
    state,
    trace_id: traceId,
    request_digest: hasher.hex(exchange.bytes ?? ''),
    reply_digest: hasher.hex(trace.replyText()),
  };
  const type = isTerminal(state) ? 'relay.task_ended' : 'relay.task_seen';
  const marks = await recordEvent(uow, { projectId, actor, contextId, type, payload });
  if (state === 'completed' && peer.deposit) {
    const reply = trace.replyText();
    const request = textOf(message.parts);
    await deposit?.(uow, { projectId, actor, peerId: peer.id, taskId, contextId, traceId, request, reply });
  }
  return marks;
}
