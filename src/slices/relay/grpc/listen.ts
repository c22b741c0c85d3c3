import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { BatonError } from '../../../kernel/error.ts';
import { isRecord } from '../../../kernel/json/loose.ts';
import { isFlow, type PlainAnswer } from '../../../spine/operations/plain.ts';
import { parseJson } from '../a2a/reply.ts';
import { createSseFrameReader } from '../a2a/sse-frames.ts';
import type { RpcError } from '../a2a/translate/error.ts';
import { fromMetadata, toMetadata } from './metadata.ts';
import { GRPC_METHODS, type GrpcMethod } from './service.ts';
import { faultOfHttp, toGrpcFault } from './status.ts';

/** A call as the rest of the relay takes it. */
export interface GrpcArrival {
  readonly method: Pick<GrpcMethod, 'operation' | 'version'>;
  readonly params: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** What the caller calls this server: `writer.example:50051`. */
  readonly authority: string;
  onGone(listener: () => void): () => void;
}

export interface GrpcBind {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer; readonly clientCa?: Buffer } | undefined;
  readonly maxBytes: number;
}

export interface GrpcListener {
  readonly port: number;
  close(): Promise<void>;
}

type AnyCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

const GRACE_MS = 2_000;

/** Both versions of the service; what they are asked, `answer` answers as JSON-RPC. */
export async function listenGrpc(
  bind: GrpcBind,
  answer: (arrival: GrpcArrival) => Promise<PlainAnswer>,
): Promise<GrpcListener> {
  const server = new Server({
    'grpc.max_receive_message_length': bind.maxBytes,
    'grpc.max_send_message_length': bind.maxBytes,
  });
  for (const [service, version] of [
    [A2AService, '1.0'],
    [LegacyA2AService, '0.3'],
  ] as const) {
    const handlers: UntypedServiceImplementation = {};
    for (const [name, definition] of Object.entries(service)) {
      const method = GRPC_METHODS.find((one) => one.version === version && one.definition === definition);
      if (method) handlers[name] = definition.responseStream ? streamed(method) : unary(method);
    }
    server.addService(service, handlers);
  }

  async function ask(method: GrpcMethod, call: AnyCall): Promise<PlainAnswer> {
    const leavers = new Set<() => void>();
    call.on('cancelled', () => {
      for (const leave of leavers) leave();
    });
    return answer({
      method,
      params: method.params.toJson(call.request),
      headers: fromMetadata(call.metadata),
      authority: call.getHost(),
      onGone(listener) {
        if (call.cancelled) listener();
        else leavers.add(listener);
        return () => leavers.delete(listener);
      },
    });
  }

  function unary(method: GrpcMethod): handleUnaryCall<unknown, unknown> {
    return (call, done) => {
      ask(method, call).then(
        (given) => {
          const reply = replyOf(given);
          if ('fault' in reply) return done(reply.fault);
          call.sendMetadata(toMetadata(given.headers, Metadata));
          try {
            done(null, method.result.toMessage(reply.result));
          } catch {
            done(UNSPEAKABLE);
          }
        },
        (thrown) => done(faultOf(thrown)),
      );
    };
  }

  function streamed(method: GrpcMethod): handleServerStreamingCall<unknown, unknown> {
    return (call) => {
      const fail = (fault: Partial<ServerErrorResponse>) => void call.emit('error', fault);
      ask(method, call).then(
        (given) => {
          const { body } = given;
          call.sendMetadata(toMetadata(given.headers, Metadata));
          if (!isFlow(body)) {
            const reply = replyOf(given);
            if ('fault' in reply) return fail(reply.fault);
            call.write(method.result.toMessage(reply.result));
            call.end();
            return;
          }
          const reader = createSseFrameReader();
          let over = false;
          const end = (fault?: Partial<ServerErrorResponse>) => {
            if (over) return;
            over = true;
            if (fault) fail(fault);
            else call.end();
          };
          call.on('drain', () => body.more());
          call.on('cancelled', () => {
            over = true;
            body.leave();
          });
          body.into({
            write(piece) {
              let hasRoom = true;
              for (const frame of reader.push(piece)) {
                const { data } = frame.read();
                const value = data === undefined || over ? undefined : parseJson(data);
                if (!isRecord(value)) continue;
                if (isRecord(value.error)) end(toGrpcFault(value.error as unknown as RpcError));
                else hasRoom = call.write(method.result.toMessage(value.result));
              }
              return hasRoom;
            },
            end: (fault) => end(fault === undefined ? undefined : faultOf(fault)),
          });
        },
        (thrown) => fail(faultOf(thrown)),
      );
    };
  }

  const credentials = bind.tls
    ? ServerCredentials.createSsl(
        bind.tls.clientCa ?? null,
        [{ cert_chain: bind.tls.cert, private_key: bind.tls.key }],
        bind.tls.clientCa !== undefined,
      )
    : ServerCredentials.createInsecure();
  const host = bind.host.includes(':') ? `[${bind.host}]` : bind.host;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${bind.port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, GRACE_MS);
        server.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

const UNSPEAKABLE = { code: status.INTERNAL, details: 'The answer cannot be said in protobuf.' };

/** What JSON-RPC says; or HTTP, where a peer answered with that alone. */
function replyOf({
  status: httpStatus,
  body,
}: PlainAnswer): { readonly result: unknown } | { readonly fault: Partial<ServerErrorResponse> } {
  const text =
    typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
  const value = parseJson(text);
  if (isRecord(value) && isRecord(value.error)) {
    const fault = toGrpcFault(value.error as unknown as RpcError);
    // Too much of something, whatever it is, is to be told from a peer that is not there.
    return { fault: httpStatus === 429 ? { ...fault, code: status.RESOURCE_EXHAUSTED } : fault };
  }
  if (isRecord(value) && 'result' in value && httpStatus < 400) return { result: value.result };
  return { fault: faultOfHttp(httpStatus, `The peer answered ${httpStatus}.`) };
}

function faultOf(thrown: unknown): Partial<ServerErrorResponse> {
  return thrown instanceof BatonError
    ? faultOfHttp(thrown.status, thrown.message)
    : { code: status.INTERNAL, details: 'The relay failed.' };
}
