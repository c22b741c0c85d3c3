import type { TLSSocket } from 'node:tls';
import type { CredentialsOfRequest } from '../../spine/identity/authenticate.ts';
import { readPeerCertificate } from '../../spine/identity/credentials/certificate.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { BodyLimits } from '../../spine/operations/body.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { HttpRequest } from './http-request.ts';

/** Where a request carries its credential. On A2A paths `Authorization` is the peer's, so ours has a header of its own. */
export function credentialsOf(
  { method, headers, socket, origin }: HttpRequest,
  operation: Operation,
): CredentialsOfRequest {
  const peerPath = operation.http?.path.startsWith('/a2a/') === true;
  return {
    authorization: peerPath ? undefined : headers.authorization,
    apiKey: headers['x-baton-key'] ?? (peerPath ? undefined : headers['x-api-key']),
    cookie: headers.cookie,
    csrfToken: headers['x-csrf-token'],
    ...(operation.http?.protectedResource && { resource: `${origin}${operation.http.path}` }),
    safe: method === 'GET' || method === 'HEAD',
    peerCertificate: peerCertificateOf(socket),
  };
}

/** Whether the certificate's authority is ours is for the rules to look at; the handshake proved only the key. */
function peerCertificateOf(socket: HttpRequest['socket']): CredentialsOfRequest['peerCertificate'] {
  const tls = socket as TLSSocket | undefined;
  const certificate = tls?.encrypted ? tls.getPeerX509Certificate() : undefined;
  return certificate && readPeerCertificate(certificate, tls?.authorized === true);
}

/** A protocol whose callers sign each request, body included, instead of carrying one of our credentials. */
export interface SignedRequests {
  recognises(authorization: string | undefined): authorization is string;
  authenticate(request: SignedRequest): Promise<Principal>;
}

interface SignedRequest {
  readonly authorization: string;
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Undefined if the request is not signed, or the operation is of another protocol. */
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
