import type { TLSSocket } from 'node:tls';
import type { Context } from 'hono';
import type { CredentialsOfRequest } from '../identity/authenticate.ts';
import { readPeerCertificate } from '../identity/credentials/certificate.ts';
import type { Operation } from '../operations/define.ts';
import type { HttpEnv } from './routes.ts';

/** Where a request carries its credential. On A2A paths `Authorization` is the peer's, so ours has a header of its own. */
export function credentialsOf(context: Context<HttpEnv>, operation: Operation): CredentialsOfRequest {
  const header = (name: string) => context.req.header(name);
  const peerPath = operation.http?.path.startsWith('/a2a/') === true;
  return {
    authorization: peerPath ? undefined : header('authorization'),
    apiKey: header('x-baton-key') ?? (peerPath ? undefined : header('x-api-key')),
    cookie: header('cookie'),
    csrfToken: header('x-csrf-token'),
    safe: context.req.method === 'GET' || context.req.method === 'HEAD',
    peerCertificate: peerCertificateOf(context),
  };
}

/** Whether the certificate's authority is ours is for the rules to look at; the handshake proved only the key. */
function peerCertificateOf(context: Context<HttpEnv>): CredentialsOfRequest['peerCertificate'] {
  const socket = context.env.incoming?.socket as TLSSocket | undefined;
  const certificate = socket?.encrypted ? socket.getPeerX509Certificate() : undefined;
  return certificate && readPeerCertificate(certificate, socket?.authorized === true);
}
