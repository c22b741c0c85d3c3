import type { Principal } from '../../spine/identity/principal.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { BodyLimits } from './body.ts';
import type { HttpRequest } from './http-request.ts';

/** A protocol whose callers sign each request, body included, instead of carrying one of our credentials. */
export interface SignedRequests {
  recognises(authorization: string | undefined): authorization is string;
  authenticate(request: SignedRequest): Promise<Principal>;
}

export interface SignedRequest {
  readonly authorization: string;
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Undefined where the request is not signed, or the operation is of another protocol. */
export async function signedPrincipal(
  schemes: readonly SignedRequests[],
  request: HttpRequest,
  operation: Operation,
  limits: BodyLimits,
): Promise<Principal | undefined> {
  if (operation.wire !== 'a2p') return undefined;
  const { authorization } = request.headers;
  const scheme = schemes.find((each) => each.recognises(authorization));
  if (!scheme || authorization === undefined) return undefined;
  const body = await request.body({ ...limits, maxBytes: operation.http?.maxBytes ?? limits.maxBytes });
  return scheme.authenticate({ authorization, method: request.method, path: request.target, body });
}
