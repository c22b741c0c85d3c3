import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { PlainAnswer } from '../../../spine/operations/plain.ts';
import { eventFrame, frameReply, replyFor } from '../a2a/reply.ts';
import type { Exchange, ExchangeDeps } from '../exchanges/exchange.ts';
import type { ExchangeTrace } from '../exchanges/trace.ts';
import type { PeerInterface } from '../peers/directory.ts';
import type { StreamHub } from './hub.ts';
import { encoderFor } from './streamed-answer.ts';

export interface HeldStream {
  readonly hub: StreamHub;
  readonly target: PeerInterface;
}

export interface HeldStreams {
  add(exchange: Exchange, taskId: string, held: HeldStream): void;
  find(exchange: Exchange, taskId: string): HeldStream | undefined;
  ended(exchange: Exchange, taskId: string): void;
}

/** The streams that are read here, by task: kept for a while after they end, for callers that come back. */
export function createHeldStreams(keepSeconds: number): HeldStreams {
  const held = new Map<string, HeldStream>();
  const keyOf = ({ projectId, peer }: Exchange, taskId: string) => `${projectId}\n${peer.id}\n${taskId}`;
  return {
    add: (exchange, taskId, stream) => void held.set(keyOf(exchange, taskId), stream),
    find: (exchange, taskId) => held.get(keyOf(exchange, taskId)),
    ended(exchange, taskId) {
      const key = keyOf(exchange, taskId);
      const stream = held.get(key);
      const timer = setTimeout(() => {
        if (held.get(key) === stream) held.delete(key);
      }, keepSeconds * 1000);
      timer.unref();
    },
  };
}

/**
 * A caller that dropped comes back: it gets the task as it stood when it left, then every event since, each once. Other
 * subscribers of a running stream join where it is now. Undefined where this relay does not hold the stream.
 */
export function replayedAnswer(
  deps: ExchangeDeps,
  exchange: Exchange,
  trace: ExchangeTrace,
): PlainAnswer | undefined {
  const taskId = typeof exchange.params.id === 'string' ? exchange.params.id : undefined;
  const held = taskId === undefined ? undefined : deps.heldStreams.find(exchange, taskId);
  if (!held || !taskId) return undefined;
  const { hub, target } = held;
  const lastId = exchange.headers['last-event-id'];
  const from =
    (lastId === undefined ? undefined : hub.positionAfter(lastId)) ?? hub.droppedAt(exchange.caller);
  if (from === undefined) return undefined;
  const snapshot = snapshotAt(hub, target, taskId, from);
  trace.peerAnswered({ status: 0, version: target.version, url: new URL(target.url), mode: 'replay' });
  const body = hub.subscribe({
    caller: exchange.caller,
    from,
    // The request has an id of its own, so no frame can be passed on as it is.
    ...encoderFor(exchange, target, false),
    opening: snapshot && eventFrame(exchange, replyFor(exchange, target.version, { result: snapshot })),
  });
  deps.tracer.endTogether(exchange.projectId, trace.complete());
  return new PlainAnswer(200, EVENT_STREAM, body);
}

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

function snapshotAt(
  hub: StreamHub,
  target: PeerInterface,
  taskId: string,
  position: number,
): LooseRecord | undefined {
  let status: unknown;
  let contextId: unknown;
  for (const frame of hub.framesBefore(position)) {
    const reply = frameReply(target, frame);
    const result = reply && 'result' in reply && isRecord(reply.result) ? reply.result : undefined;
    const event = result && [result.task, result.statusUpdate, result].find(isRecord);
    if (!event) continue;
    status = event.status ?? status;
    contextId = event.contextId ?? contextId;
  }
  if (!isRecord(status)) return undefined;
  const task = { id: taskId, contextId, status };
  return target.version === '1.0' ? { task } : { kind: 'task', ...task };
}
