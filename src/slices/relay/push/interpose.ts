import { BatonError } from '../../../kernel/error.ts';
import { asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { newSecret, sameText } from '../../../spine/identity/credentials/secret.ts';
import type { JobHandler } from '../../../spine/jobs/handler.ts';
import { PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { type Reach, requireReachable } from '../../../spine/outbound/address-guard.ts';
import { observeResult } from '../a2a/observe.ts';
import { type A2aRequest, readBytes } from '../a2a/read-request.ts';
import { errorResponse, parseJson, RPC, translated } from '../a2a/reply.ts';
import { resultTo03, resultTo10 } from '../a2a/translate/operation.ts';
import { relayErrors } from '../errors.ts';
import type { ExchangeDeps } from '../exchanges/exchange.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import { type TraceContext, writeTraceparent } from '../spans/trace-context.ts';
import { PUSH_JOB, pushJob } from './deliver.ts';
import { concernsPush, pushSettingsIn, replaceObjects } from './rules.ts';
import {
  deletePushConfig,
  insertDelivery,
  insertPushConfig,
  namePushConfig,
  type PushConfig,
  selectPushConfig,
} from './store.ts';

export const PUSH_PATH = 'push/';

/** An exchange in which the relay stands between the peer's notifications and its client. */
export interface Interposed {
  /** The request as the peer gets it. */
  readonly params: LooseRecord;
  readonly bytes: Uint8Array | undefined;
  /** The peer's answer as the client gets it: with the client's own address in it. */
  revealed(answer: Uint8Array): Promise<Uint8Array>;
}

export interface PushRequest {
  readonly projectId: string;
  readonly peer: Peer;
  readonly call: A2aRequest;
  readonly bytes: Uint8Array | undefined;
  /** Where the peer reaches this relay. */
  readonly origin: string;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly parent: TraceContext;
}

export interface PushNotifications {
  /** Whether notifications of this peer come by the relay, and the request may be about them. */
  concerns(peer: Peer, call: A2aRequest): boolean;
  /** A response where the client's address is refused. */
  interpose(question: PushRequest): Promise<Interposed | PlainAnswer | undefined>;
  /** A peer calls: kept before it is answered, and delivered by a job. */
  receive(request: PlainRequest, key: string): Promise<PlainAnswer>;
  readonly job: JobHandler<number>;
}

export interface PushDeps extends ExchangeDeps, Pick<RelayDeps, 'jobs' | 'random' | 'ids'> {
  readonly reach: Reach;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function createPushNotifications(deps: PushDeps): PushNotifications {
  const { db, clock, settings, jobs, random, ids, reach } = deps;

  /** The answer with the client's own settings in it. Under which ids the peer keeps them is noted on the way. */
  async function revealed(
    answer: Uint8Array,
    { origin, peer, projectId, taskId }: PushRequest,
  ): Promise<Uint8Array> {
    const value = parseJson(decoder.decode(answer));
    const callbacks = callbacksIn(value, origin);
    if (callbacks.size === 0) return answer;
    const configs = new Map<string, PushConfig>();
    await db.read(async (reader) => {
      for (const key of callbacks.keys()) {
        const config = await selectPushConfig(reader, key);
        if (config?.peerId === peer.id && config.projectId === projectId) configs.set(key, config);
      }
    });
    const unnamed = [...configs.values()].filter(({ key, configId }) => callbacks.get(key) !== configId);
    if (unnamed.length > 0)
      await db.write(async (uow) => {
        for (const { key } of unnamed)
          await namePushConfig(uow, key, { taskId, configId: callbacks.get(key) });
      });
    const shown = replaceObjects(value, (object) => {
      const config = configs.get(callbackKey(object, origin) ?? '');
      if (!config) return undefined;
      const { token: _token, authentication: _authentication, ...kept } = object;
      return { ...kept, ...withoutId(config.settings) };
    });
    return encoder.encode(JSON.stringify(shown));
  }

  /** Settings that came with a message are those of the task that it began. */
  async function nameTask(key: string, answer: Uint8Array): Promise<void> {
    const value = parseJson(decoder.decode(answer));
    const taskId = observeResult(isRecord(value) && isRecord(value.result) ? value.result : value)?.taskId;
    if (taskId) await db.write((uow) => namePushConfig(uow, key, { taskId, configId: undefined }));
  }

  async function forget({ projectId, peer, call, taskId }: PushRequest, answer: Uint8Array): Promise<void> {
    const value = parseJson(decoder.decode(answer));
    const { params } = call;
    const configId = asText(params.pushNotificationConfigId) ?? asText(params.id);
    const refused = isRecord(value) && (value.error !== undefined || typeof value.code === 'number');
    if (refused || !taskId || !configId) return;
    await db.write((uow) => deletePushConfig(uow, { projectId, peerId: peer.id, taskId, configId }));
  }

  async function take(question: PushRequest, own: LooseRecord): Promise<Interposed | PlainAnswer> {
    const { call, origin, projectId, peer, taskId, contextId } = question;
    try {
      requireReachable(new URL(String(own.url)), reach);
    } catch (cause) {
      const message = cause instanceof BatonError ? cause.message : 'The address for notifications is none.';
      return errorResponse(call, { code: RPC.invalidParams, message });
    }
    const [key, peerToken] = [newSecret(random), newSecret(random)];
    const config: PushConfig = {
      key,
      projectId,
      peerId: peer.id,
      taskId,
      configId: asText(own.id),
      contextId,
      version: call.version,
      settings: own,
      peerToken,
      traceparent: writeTraceparent(question.parent),
    };
    // Before the peer hears of the address, since it may call at once.
    await db.write((uow) => insertPushConfig(uow, config, clock.now()));
    const given = { url: `${origin}/a2a/-/${PUSH_PATH}${key}`, token: peerToken, authentication: undefined };
    const change = (object: LooseRecord) => (object === own ? { ...object, ...given } : undefined);
    return {
      params: replaceObjects(call.params, change) as LooseRecord,
      bytes: question.bytes && withOther(question.bytes, call, given),
      async revealed(answer) {
        if (call.operation !== 'push.set') await nameTask(key, answer);
        return revealed(answer, question);
      },
    };
  }

  return {
    concerns: (peer, { operation }) => peer.push === 'interpose' && concernsPush(operation),
    async interpose(question) {
      const { call } = question;
      const own = pushSettingsIn(call.operation, call.params);
      if (own) return take(question, own);
      if (!call.operation.startsWith('push.')) return undefined;
      return {
        params: call.params,
        bytes: question.bytes,
        async revealed(answer) {
          if (call.operation === 'push.delete') await forget(question, answer);
          return revealed(answer, question);
        },
      };
    },
    async receive(request, key) {
      const config = await db.read((reader) => selectPushConfig(reader, key));
      if (!config) throw relayErrors.push_unknown();
      if (!sameText(request.headers['x-a2a-notification-token'] ?? '', config.peerToken))
        throw relayErrors.push_token_wrong();
      const bytes = (await readBytes(request, settings.maxBodyBytes)) ?? new Uint8Array();
      const told = parseJson(decoder.decode(bytes));
      if (!isRecord(told)) throw relayErrors.push_unreadable();
      const body = bodyFor(config, told, bytes);
      const seen = observeResult(told);
      const delivery = { id: ids(), key, body, created: clock.now() };
      await db.write(async (uow) => {
        await insertDelivery(uow, delivery);
        if (!config.taskId && seen?.taskId)
          await namePushConfig(uow, key, { taskId: seen.taskId, configId: undefined });
        await jobs.enqueue(uow, { kind: PUSH_JOB, key: delivery.id, projectId: config.projectId });
      });
      return new PlainAnswer(204, {}, null);
    },
    job: pushJob(deps, reach),
  };
}

/** The request with other settings: only they are changed, whatever else in it looks like them. */
function withOther(bytes: Uint8Array, { binding, operation }: A2aRequest, other: LooseRecord): Uint8Array {
  const whole = parseJson(decoder.decode(bytes));
  const params = binding === 'JSONRPC' && isRecord(whole) ? whole.params : whole;
  const own = isRecord(params) ? pushSettingsIn(operation, params) : undefined;
  const changed = replaceObjects(whole, (object) => (object === own ? { ...object, ...other } : undefined));
  return encoder.encode(JSON.stringify(changed));
}

/** The addresses of ours that an answer names, each with the id that the peer keeps it under. */
function callbacksIn(value: unknown, origin: string): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  replaceObjects(value, (object) => {
    const key = callbackKey(object, origin);
    if (key) found.set(key, asText(object.id));
    return undefined;
  });
  return found;
}

/** In the version of the client: a Task or an event, as its peer told it. */
function bodyFor({ version }: PushConfig, told: LooseRecord, bytes: Uint8Array): string {
  const spoken = typeof told.kind === 'string' ? '0.3' : '1.0';
  if (spoken === version) return decoder.decode(bytes);
  return JSON.stringify(
    translated(spoken, version, {
      to10: () => resultTo10('stream', told),
      to03: () => resultTo03('stream', told),
      same: () => told,
    }),
  );
}

function callbackKey({ url }: LooseRecord, origin: string): string | undefined {
  const start = `${origin}/a2a/-/${PUSH_PATH}`;
  return typeof url === 'string' && url.startsWith(start) ? url.slice(start.length) : undefined;
}

function withoutId({ id: _, taskId: _taskId, tenant: _tenant, ...settings }: LooseRecord): LooseRecord {
  return settings;
}
