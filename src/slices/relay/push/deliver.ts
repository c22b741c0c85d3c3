import { BatonError } from '../../../kernel/error.ts';
import { asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { jobErrors } from '../../../spine/jobs/errors.ts';
import type { JobHandler } from '../../../spine/jobs/handler.ts';
import type { Reach } from '../../../spine/outbound/address-guard.ts';
import { guardedPost } from '../../../spine/outbound/guarded-post.ts';
import { observeResult } from '../a2a/observe.ts';
import type { ExchangeDeps } from '../exchanges/exchange.ts';
import { type LiveSpan, SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { readTraceparent, writeTraceparent } from '../spans/trace-context.ts';
import {
  type PushConfig,
  type PushDelivery,
  selectDelivery,
  selectPushConfig,
  settleDelivery,
} from './store.ts';

export const PUSH_JOB = 'relay.push';
const METHOD = 'tasks/pushNotification';

/** Brings a peer's notification to the client that asked for it; tried again with growing pauses. */
export function pushJob(deps: ExchangeDeps, reach: Reach): JobHandler<number> {
  const { db, tracer, recordEvent } = deps;

  async function load(id: string) {
    return db.read(async (reader) => {
      const delivery = await selectDelivery(reader, id);
      const config = delivery && (await selectPushConfig(reader, delivery.key));
      return delivery && config && { delivery, config };
    });
  }

  function spanOf(config: PushConfig, delivery: PushDelivery): LiveSpan {
    const seen = observeResult(JSON.parse(delivery.body));
    const span = tracer.start('a2a.push.deliver', SPAN_KIND.client, {
      parent: readTraceparent(config.traceparent),
    });
    const url = new URL(String(config.settings.url));
    return span.set({
      agentId: 'relay',
      agentName: 'o2r',
      agentRole: 'relay',
      sessionId: config.contextId ?? seen?.contextId ?? '',
      userId: config.peerId,
      graphNodeId: 'relay',
      graphNodeParentId: config.peerId,
      taskId: config.taskId ?? seen?.taskId ?? '',
      taskState: seen?.state ?? '',
      method: METHOD,
      peerTarget: '',
      peerSenderRole: '',
      peerTargetRole: '',
      spanKind: 'AGENT',
      serverAddress: url.hostname,
      peerUrl: url.origin,
    });
  }

  return {
    idempotent: true,
    async run({ key }, signal) {
      const found = await load(key);
      if (!found) return 0;
      const { delivery, config } = found;
      const span = spanOf(config, delivery);
      try {
        const headers = { ...credentialsOf(config.settings), traceparent: writeTraceparent(span.context) };
        const url = new URL(String(config.settings.url));
        const { status } = await guardedPost(url, delivery.body, headers, signal, reach);
        span.set({ httpStatus: status });
        if (status === 410) throw jobErrors.job_given_up({ cause: new Error('the client is gone') });
        if (status < 200 || status >= 300) throw new Error(`The client answered ${status}.`);
        span.status = { code: SPAN_STATUS.ok };
        return status;
      } catch (error) {
        span.fail((error as Error).message);
        span.set({ failureClass: 'peer_disconnect', errorType: codeOf(error) });
        // An address that is refused now is refused the next time too.
        if (codeOf(error) === 'address_refused') throw jobErrors.job_given_up({ cause: error });
        throw error;
      } finally {
        tracer.end(config.projectId, span);
      }
    },
    async recorded(uow, { key }, outcome) {
      const delivery = await selectDelivery(uow, key);
      const config = delivery && (await selectPushConfig(uow, delivery.key));
      if (!config) return;
      const delivered = outcome.state === 'done';
      await settleDelivery(uow, key, delivered ? 'delivered' : 'dead');
      if (delivered) return;
      await recordEvent(uow, {
        projectId: config.projectId,
        actor: { id: 'relay', type: 'script' },
        contextId: config.contextId,
        type: 'relay.push_failed',
        payload: { peer_id: config.peerId, task_id: config.taskId ?? null, delivery_id: key },
      });
    },
  };
}

/** What the client asked to be shown, so that it knows who calls. */
function credentialsOf({ token, authentication }: LooseRecord): Record<string, string> {
  const headers: Record<string, string> = {};
  if (asText(token)) headers['x-a2a-notification-token'] = String(token);
  if (!isRecord(authentication)) return headers;
  const [first] = Array.isArray(authentication.schemes) ? authentication.schemes : [authentication.scheme];
  if (asText(first) && asText(authentication.credentials))
    headers.authorization = `${first} ${authentication.credentials}`;
  return headers;
}

function codeOf(error: unknown): string {
  return error instanceof BatonError ? error.code : 'peer_disconnect';
}
