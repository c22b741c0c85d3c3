import {
  Client,
  type ClientReadableStream,
  credentials,
  type Metadata as GrpcMetadata,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { BatonError } from '../../../kernel/error.ts';
import { asRecord } from '../../../kernel/json/loose.ts';
import { guardedAddress } from '../../../spine/outbound/address-guard.ts';
import type { TlsIdentity } from '../../../spine/outbound/guarded-pools.ts';
import { type A2aVersion, operationOf } from '../a2a/methods.ts';
import { PEER_REACH, type PeerRequest, PeerResponse } from '../peers/connections.ts';
import { neverSent, PeerFailure } from '../peers/failure.ts';
import { fromMetadata, toMetadata } from './metadata.ts';
import { GRPC_METHODS, type GrpcMethod } from './service.ts';
import { fromGrpcFault } from './status.ts';

export interface GrpcCalls {
  /** A JSON-RPC request, by gRPC; its answer comes as JSON-RPC again. Throws a PeerFailure, never anything else. */
  send(request: PeerRequest): Promise<PeerResponse>;
  close(): void;
}

const MOST_CHANNELS = 1_000;
const LARGEST_MESSAGE = 16 * 1024 * 1024;

const METHODS = new Map(GRPC_METHODS.map((one) => [`${one.version} ${one.operation}`, one]));

export function createGrpcCalls(): GrpcCalls {
  const clients = new Map<string, Promise<Client>>();

  function clientFor(url: URL, tls: TlsIdentity | undefined): Promise<Client> {
    const name = `${url.protocol}//${url.host} ${tls?.id ?? ''}`;
    const known = clients.get(name);
    if (known) return known;
    const made = connect(url, tls);
    if (clients.size >= MOST_CHANNELS) closeAll();
    clients.set(name, made);
    made.catch(() => clients.delete(name));
    return made;
  }

  /** What its name leads to is judged anew for the next request. */
  function drop(client: Client): void {
    for (const [name, made] of clients)
      void made.then((one) => {
        if (one !== client || clients.get(name) !== made) return;
        clients.delete(name);
        client.close();
      });
  }

  function closeAll(): void {
    for (const made of clients.values()) void made.then((client) => client.close()).catch(() => undefined);
    clients.clear();
  }

  return {
    async send(request) {
      const call = JSON.parse(new TextDecoder().decode(request.body)) as {
        id: unknown;
        method: string;
        params?: unknown;
      };
      const known = operationOf(call.method);
      const method = known && METHODS.get(`${known.version} ${known.operation}`);
      if (!method)
        return answeredWith({
          jsonrpc: '2.0',
          id: call.id,
          error: { code: -32601, message: `A2A over gRPC has no ${call.method}.` },
        });
      let client: Client;
      let message: unknown;
      try {
        client = await clientFor(request.url, request.tls);
      } catch (cause) {
        const refused = cause instanceof BatonError;
        const failure = new PeerFailure(
          'peer_disconnect',
          refused ? 'The address of the peer is refused.' : 'The peer cannot be reached.',
          undefined,
          cause,
        );
        throw refused ? failure : neverSent(failure);
      }
      try {
        message = method.params.toMessage(asRecord(call.params));
        method.definition.requestSerialize(message);
      } catch {
        const error = { code: -32602, message: 'The request cannot be said in protobuf.' };
        return answeredWith({ jsonrpc: '2.0', id: call.id, error });
      }
      return method.definition.responseStream
        ? streamed(client, method, message, call.id, request)
        : unary(client, method, message, call.id, request);
    },
    close: closeAll,
  };

  function unary(
    client: Client,
    { definition, result, version }: GrpcMethod,
    message: unknown,
    id: unknown,
    request: PeerRequest,
  ): Promise<PeerResponse> {
    return new Promise((resolve, reject) => {
      let headers: Record<string, string> = {};
      let stay: (() => void) | undefined;
      const call = client.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        message,
        toMetadata(request.headers, Metadata),
        { deadline: Date.now() + request.timeoutMs },
        (error, value) => {
          stay?.();
          if (!error) {
            resolve(answeredWith({ jsonrpc: '2.0', id, result: result.toJson(value) }, headers));
            return;
          }
          if (error.code === status.UNAVAILABLE) drop(client);
          const found = outcomeOf(error, id, version);
          if (found instanceof PeerFailure) reject(found);
          else resolve(found);
        },
      );
      call.on('metadata', (metadata: GrpcMetadata) => {
        headers = fromMetadata(metadata);
      });
      stay = request.onGone?.(() => {
        call.cancel();
        reject(new PeerFailure('client_disconnect', 'The caller left.'));
      });
    });
  }

  function streamed(
    client: Client,
    { definition, result, version }: GrpcMethod,
    message: unknown,
    id: unknown,
    request: PeerRequest,
  ): Promise<PeerResponse> {
    return new Promise((resolve, reject) => {
      const call: ClientReadableStream<unknown> = client.makeServerStreamRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        message,
        toMetadata(request.headers, Metadata),
      );
      let headers: Record<string, string> = {};
      let response: PeerResponse | undefined;
      let stopped: PeerFailure | undefined;
      const stop = (failure: unknown) => {
        stopped ??= failure as PeerFailure;
        call.cancel();
      };
      const timer = setTimeout(
        () => stop(new PeerFailure('timeout', 'The peer did not answer in time.')),
        request.timeoutMs,
      );
      const begun = () => {
        clearTimeout(timer);
        if (response) return response;
        const controller = { abort: stop, pause: () => call.pause(), resume: () => call.resume() };
        const all = { ...headers, 'content-type': 'text/event-stream' };
        response = new PeerResponse(controller, 200, all, request.idleMs);
        resolve(response);
        return response;
      };
      call.on('metadata', (metadata: GrpcMetadata) => {
        headers = fromMetadata(metadata);
      });
      call.on('data', (value: unknown) => {
        begun().add(frame({ jsonrpc: '2.0', id, result: result.toJson(value) }));
      });
      call.on('end', () => begun().finish(undefined));
      call.on('error', (error: ServiceError) => {
        clearTimeout(timer);
        if (error.code === status.UNAVAILABLE) drop(client);
        const found = stopped ?? outcomeOf(error, id, version);
        if (!response) {
          if (found instanceof PeerFailure) reject(found);
          else resolve(found);
          return;
        }
        if (found instanceof PeerFailure) {
          response.finish(found);
          return;
        }
        response.add(frame({ jsonrpc: '2.0', id, error: fromGrpcFault(version, error) }));
        response.finish(undefined);
      });
    });
  }
}

/** The connection goes to the very address that was judged. */
async function connect(url: URL, tls: TlsIdentity | undefined): Promise<Client> {
  const isSecure = url.protocol === 'grpcs:';
  const judged = new URL(`${isSecure ? 'https' : 'http'}://${url.host}`);
  const { address, family } = await guardedAddress(judged, PEER_REACH);
  const port = url.port || (isSecure ? '443' : '80');
  const target = family === 6 ? `ipv6:[${address}]:${port}` : `ipv4:${address}:${port}`;
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  const host = judged.hostname.replace(/^\[|\]$/g, '');
  return new Client(
    target,
    isSecure
      ? credentials.createSsl(pem(tls?.ca), pem(tls?.key), pem(tls?.cert))
      : credentials.createInsecure(),
    {
      'grpc.default_authority': url.host,
      ...(isSecure && { 'grpc.ssl_target_name_override': host }),
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      'grpc.max_send_message_length': LARGEST_MESSAGE,
      'grpc.enable_http_proxy': 0,
      // Whether a request may be sent again is not the transport's to know.
      'grpc.enable_retries': 0,
    },
  );
}

/** An error of the peer's is an answer; one of the way to it is a failure. */
function outcomeOf(error: ServiceError, id: unknown, version: A2aVersion): PeerResponse | PeerFailure {
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
      return new PeerFailure('timeout', 'The peer did not answer in time.', undefined, error);
    case status.UNAVAILABLE:
    case status.CANCELLED:
      return new PeerFailure('peer_disconnect', 'The peer cannot be reached by gRPC.', undefined, error);
    case status.UNAUTHENTICATED:
      return answeredWith({ message: error.details }, {}, 401);
    case status.PERMISSION_DENIED:
      return answeredWith({ message: error.details }, {}, 403);
    case status.RESOURCE_EXHAUSTED:
      return answeredWith({ message: error.details }, {}, 429);
    default:
      return answeredWith({ jsonrpc: '2.0', id, error: fromGrpcFault(version, error) });
  }
}

const ENDED = { abort: () => undefined, pause: () => undefined, resume: () => undefined };

function answeredWith(body: object, headers: Record<string, string> = {}, httpStatus = 200): PeerResponse {
  const all = { ...headers, 'content-type': 'application/json' };
  const response = new PeerResponse(ENDED, httpStatus, all, 0);
  response.add(new TextEncoder().encode(JSON.stringify(body)));
  response.finish(undefined);
  return response;
}

function frame(message: object): Uint8Array {
  return new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`);
}
