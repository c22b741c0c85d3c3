import type { Hasher } from '../../../kernel/hasher.ts';
import { asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { A2A_BINDINGS, type A2aBinding, type A2aVersion, operationOf, readVersion } from '../a2a/methods.ts';
import { parseJson } from '../a2a/reply.ts';
import { versionOfPath } from '../a2a/rest.ts';
import { type RestOfMessage, type SentMessage, textOfSent } from '../a2a/sent-message.ts';
import { fromKeyValues } from '../otlp/model.ts';
import { ATTR } from '../spans/attribute-registry.ts';
import { REDACTED } from '../spans/redact.ts';
import type { StoredSpan } from '../spans/store.ts';
import type { Reason } from './reasons.ts';

/** A message to an agent, as the span of its exchange keeps it. */
export interface Captured {
  readonly traceId: string;
  readonly spanId: string;
  /** In nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
  readonly peerId: string;
  readonly sender: string;
  readonly operation: 'send' | 'stream';
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly contextId: string | undefined;
  /** The message named its context; otherwise the agent did. */
  readonly namesContext: boolean;
  readonly taskId: string | undefined;
  /** The message continued its task. Undefined of those that were captured before this was kept. */
  readonly namesTask: boolean | undefined;
  readonly message: SentMessage | undefined;
  /** Why the message is not what was sent, or not there at all. */
  readonly fault: Reason | undefined;
  /** Whether it is known to be, word for word, what was sent. */
  readonly isExact: boolean;
}

/** The name of the span that stands for a message's exchange. */
export const EXCHANGE_SPAN = 'a2a.task';

/** Undefined for what is no message. */
export function capturedOf({ span }: StoredSpan, hasher: Hasher): Captured | undefined {
  const attributes = fromKeyValues(span.attributes);
  const text = (key: string) => asText(attributes[key]);
  const method = text(ATTR.method);
  const operation = method === undefined ? undefined : operationOf(method)?.operation;
  if (operation !== 'send' && operation !== 'stream') return undefined;
  const wireMethod = text(ATTR.rpcMethod) ?? '';
  const known = readVersion(text(ATTR.requestVersion));
  const binding = A2A_BINDINGS.find((one) => one === text(ATTR.requestBinding));
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    peerId: text(ATTR.peerTarget) ?? '',
    sender: text(ATTR.userId) ?? '',
    operation,
    version: known ?? versionOfMethod(wireMethod),
    binding: binding ?? (wireMethod.startsWith('POST ') ? 'HTTP+JSON' : 'JSONRPC'),
    contextId: text(ATTR.sessionId),
    namesContext: attributes[ATTR.sessionSource] === 'message',
    taskId: text(ATTR.taskId),
    namesTask: known === undefined ? undefined : attributes[ATTR.taskSource] === 'message',
    ...keptMessage(attributes, hasher),
  };
}

function versionOfMethod(wireMethod: string): A2aVersion {
  const [, path] = /^POST (.*)$/.exec(wireMethod) ?? [];
  return path === undefined ? (operationOf(wireMethod)?.version ?? '0.3') : versionOfPath(path);
}

type Kept = Pick<Captured, 'message' | 'fault' | 'isExact'>;

function keptMessage(attributes: LooseRecord, hasher: Hasher): Kept {
  const none = (fault: Reason): Kept => ({ message: undefined, fault, isExact: false });
  const input = asText(attributes[ATTR.inputValue]);
  if (input === undefined) return none('not_kept');
  const value = parseJson(input);
  if (!isRecord(value) || !Array.isArray(value.parts)) return none('cut');
  if (value.parts.some(isWithoutBytes)) return none('file_not_kept');
  const rest = restOf(asText(attributes[ATTR.requestRest]));
  const message: SentMessage = {
    role: value.role === 'agent' ? 'agent' : 'user',
    parts: value.parts,
    rest: rest ?? NOTHING,
  };
  const digest = asText(attributes[ATTR.requestDigest]);
  if (digest !== undefined && digest === hasher.hex(textOfSent(message)))
    return { message, fault: undefined, isExact: true };
  const isMasked = [input, attributes[ATTR.requestRest]].some((one) => String(one).includes(REDACTED));
  if (isMasked) return { message, fault: 'masked', isExact: false };
  if (digest !== undefined) return { message, fault: 'changed', isExact: false };
  // Without a digest it was too long for one, or it was captured before there were any.
  const isOld = attributes[ATTR.requestVersion] === undefined;
  if (!isOld || attributes[ATTR.truncatedBytes] !== undefined) return none('cut');
  return { message, fault: undefined, isExact: false };
}

const NOTHING: RestOfMessage = { message: {}, request: {} };

function restOf(text: string | undefined): RestOfMessage | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value) || !isRecord(value.message) || !isRecord(value.request)) return undefined;
  return { message: value.message, request: value.request };
}

/** As `content.ts` leaves a part whose bytes were a file. */
function isWithoutBytes(part: unknown): boolean {
  return isRecord(part) && isRecord(part.file) && 'sha256_of_base64' in part.file;
}
