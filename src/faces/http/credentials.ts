import type { TLSSocket } from 'node:tls';
import type { CredentialsOfRequest } from '../../spine/identity/authenticate.ts';
import { readPeerCertificate } from '../../spine/identity/credentials/certificate.ts';
import type { Operation } from '../../spine/operations/define.ts';
import type { HttpRequest } from './http-request.ts';

/** Where a request carries its credential. On A2A paths `Authorization` is the peer's, so ours has a header of its own. */
export function credentialsOf(
  { method, headers, socket }: HttpRequest,
  operation: Operation,
): CredentialsOfRequest {
  const peerPath = operation.http?.path.startsWith('/a2a/') === true;
  return {
    authorization: peerPath ? undefined : headers.authorization,
    apiKey: headers['x-baton-key'] ?? (peerPath ? undefined : headers['x-api-key']),
    cookie: headers.cookie,
    csrfToken: headers['x-csrf-token'],
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
