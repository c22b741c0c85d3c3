import { BatonError } from '../../../kernel/error.ts';
import { asRecord, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { readPlain } from '../../../kernel/json/reader.ts';
import { PlainAnswer, type PlainRequest, queryOf } from '../../../spine/operations/plain.ts';
import { relayErrors } from '../errors.ts';
import {
  type A2aBinding,
  type A2aOperation,
  type A2aVersion,
  isSpokenVersion,
  operationOf,
} from './methods.ts';
import { type Addressee, errorResponse, RPC, type RpcId } from './reply.ts';
import { readRest, versionOfPath } from './rest.ts';
import { camelNames } from './translate/camel-names.ts';
import { errorTo10, type RpcError } from './translate/error.ts';
import { paramsFromRest03 } from './translate/rest-03.ts';

/** What a caller asks for, whichever binding it came by. */
export interface A2aRequest {
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly id: RpcId;
  readonly params: LooseRecord;
  readonly wireMethod: string;
}

export async function readBytes(request: PlainRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const bytes = await request.bytes(maxBytes);
  if (bytes === undefined) throw relayErrors.message_too_large();
  return bytes;
}

/** A JSON-RPC call, or the answer to what is none. `version` is the A2A-Version header. */
export function readRpcRequest(bytes: Uint8Array, version: string | undefined): A2aRequest | PlainAnswer {
  const value = readValue(bytes, { binding: 'JSONRPC', version: '0.3', id: null });
  if (value instanceof PlainAnswer) return value;
  const id =
    isRecord(value) && (typeof value.id === 'string' || typeof value.id === 'number') ? value.id : null;
  const asker = { binding: 'JSONRPC', version: '0.3', id } as const;
  const refuse = (code: number, message: string) => errorResponse(asker, { code, message });
  if (Array.isArray(value))
    return refuse(RPC.invalidRequest, 'A2A has no batches: send one request at a time.');
  if (!isRecord(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string')
    return refuse(RPC.invalidRequest, 'This is no JSON-RPC 2.0 request.');
  const known = operationOf(value.method);
  if (!known) return refuse(RPC.methodNotFound, `There is no method ${value.method}.`);
  if (!isSpokenVersion(version)) return versionRefused(asker, version);
  const { operation, version: spoken } = known;
  const given = asRecord(value.params);
  const params = spoken === '1.0' ? camelNames(given) : given;
  return { operation, version: spoken, binding: 'JSONRPC', id, params, wireMethod: value.method };
}

/** A request of the HTTP+JSON binding; `rest` is what stands after the agent in the path. */
export function readRestRequest(
  request: PlainRequest,
  rest: string,
  bytes: Uint8Array | undefined,
): A2aRequest | PlainAnswer {
  const asker = { binding: 'HTTP+JSON', version: versionOfPath(rest), id: null } as const;
  const found = readRest(request.method, rest, new URLSearchParams(queryOf(request.target)));
  if (!found)
    return errorResponse(asker, {
      code: RPC.methodNotFound,
      message: 'There is no such operation.',
    });
  const version = request.headers['a2a-version'];
  if (!isSpokenVersion(version)) return versionRefused(asker, version);
  const body = bytes && bytes.length > 0 ? readValue(bytes, asker) : {};
  if (body instanceof PlainAnswer) return body;
  const given = { ...asRecord(body), ...found.params };
  const params = found.version === '0.3' ? paramsFromRest03(found.operation, given) : camelNames(given);
  return { ...found, params, binding: 'HTTP+JSON', id: null, wireMethod: `${request.method} ${rest}` };
}

function versionRefused(asker: Addressee, version: string | undefined): PlainAnswer {
  const error = { code: RPC.versionNotSupported, message: `A2A ${version} is not spoken here.` };
  return errorResponse(asker, errorTo10(error) as unknown as RpcError);
}

/** More than operations of our own take: a part of a message may be any document. */
const MOST_VALUES = 100_000;

function readValue(bytes: Uint8Array, asker: Addressee): unknown {
  try {
    return readPlain(bytes, { maxValues: MOST_VALUES });
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return errorResponse(asker, { code: RPC.parse, message: error.message });
  }
}
