/** Errors of A2A as gRPC tells them, and back. */
import { decodeErrorInfo, decodeStatus, encodeGrpcStatusDetails } from '@a2a-js/sdk/errors/grpc';
import { Metadata, status } from '@grpc/grpc-js';
import { asRecords, asText } from '../../../kernel/json/loose.ts';
import type { A2aVersion } from '../a2a/methods.ts';
import { codeOfReason, errorTo10, type RpcError, reasonOfCode } from '../a2a/translate/error.ts';

const DETAILS = 'grpc-status-details-bin';

const STATUS_OF: Readonly<Record<number, number>> = {
  [-32700]: status.INVALID_ARGUMENT,
  [-32600]: status.INVALID_ARGUMENT,
  [-32602]: status.INVALID_ARGUMENT,
  [-32601]: status.UNIMPLEMENTED,
  [-32001]: status.NOT_FOUND,
  [-32002]: status.FAILED_PRECONDITION,
  [-32003]: status.FAILED_PRECONDITION,
  [-32004]: status.FAILED_PRECONDITION,
  [-32005]: status.INVALID_ARGUMENT,
  [-32006]: status.INTERNAL,
  [-32007]: status.FAILED_PRECONDITION,
  [-32008]: status.FAILED_PRECONDITION,
  [-32009]: status.FAILED_PRECONDITION,
  [-32010]: status.PERMISSION_DENIED,
  [-32011]: status.UNAVAILABLE,
};

const CODE_OF: Readonly<Record<number, number>> = {
  [status.INVALID_ARGUMENT]: -32602,
  [status.NOT_FOUND]: -32001,
  [status.UNIMPLEMENTED]: -32004,
  [status.FAILED_PRECONDITION]: -32004,
};

export interface GrpcFault {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

export function toGrpcFault({ code, message, data }: RpcError): GrpcFault {
  const reason = reasonOfCode(code) ?? (code === -32602 ? 'INVALID_PARAMS' : undefined);
  const found = STATUS_OF[code] ?? status.INTERNAL;
  const metadata = new Metadata();
  if (reason) metadata.set(DETAILS, encodeGrpcStatusDetails(found, message, reason));
  else {
    const own = asRecords(data)
      .map((one) => asText(one.reason))
      .find(Boolean);
    if (own) metadata.set('x-baton-reason', own);
  }
  return { code: found, details: message, metadata };
}

/** What HTTP would have said, where the answer is none of A2A's. */
export function faultOfHttp(httpStatus: number, message: string): GrpcFault {
  const code =
    httpStatus === 401
      ? status.UNAUTHENTICATED
      : httpStatus === 403
        ? status.PERMISSION_DENIED
        : httpStatus === 404
          ? status.NOT_FOUND
          : httpStatus === 413 || httpStatus === 429
            ? status.RESOURCE_EXHAUSTED
            : httpStatus === 503
              ? status.UNAVAILABLE
              : httpStatus < 500
                ? status.INVALID_ARGUMENT
                : status.INTERNAL;
  return { code, details: message, metadata: new Metadata() };
}

/** By the reason that the peer states, or as well as its status tells. */
export function fromGrpcFault(
  version: A2aVersion,
  fault: { code: number; details: string; metadata?: Metadata },
): RpcError {
  const [details] = fault.metadata?.get(DETAILS) ?? [];
  const reasons = Buffer.isBuffer(details) ? reasonsIn(details) : [];
  const code = reasons.map(codeOfReason).find((found) => found !== undefined);
  const message =
    fault.details || `The peer answered with the gRPC status ${status[fault.code] ?? fault.code}.`;
  const known = code ?? (reasons.includes('INVALID_PARAMS') ? -32602 : CODE_OF[fault.code]);
  const error = { code: known ?? -32603, message };
  return version === '1.0' ? (errorTo10(error) as unknown as RpcError) : error;
}

/** Written by somebody else. */
function reasonsIn(details: Buffer): string[] {
  try {
    return decodeStatus(details)
      .details.filter(({ typeUrl }) => typeUrl.endsWith('/google.rpc.ErrorInfo'))
      .map(({ value }) => decodeErrorInfo(Buffer.from(value)).reason);
  } catch {
    return [];
  }
}
