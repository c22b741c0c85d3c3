import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { decodeBase64Url, encodeBase64Url } from '../../../kernel/base64.ts';
import type { Challenge, Passkey } from './passkey-store.ts';
import { rpIdOf } from './relying-party.ts';

/*
 * What an authenticator answered, checked as WebAuthn says: type, challenge, origin, host name, that the person was
 * verified, counter and signature. Every fault throws; the caller says the same of each. The library is loaded when a
 * passkey is first used.
 */

export interface RegisteredPasskey {
  readonly passkeyId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export async function checkRegistration(
  response: RegistrationResponseJSON,
  { challenge, origin }: Challenge,
): Promise<RegisteredPasskey> {
  refuseFrames(response.response?.clientDataJSON);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  });
  if (!verified) throw new Error('the registration is not verified');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    passkeyId: id,
    publicKey: encodeBase64Url(publicKey),
    counter,
    transports: transports.map(String),
  };
}

/** Returns the authenticator's new counter. */
export async function checkProof(
  response: AuthenticationResponseJSON,
  { challenge, origin }: Challenge,
  passkey: Passkey,
): Promise<number> {
  refuseFrames(response.response?.clientDataJSON);
  const publicKey = decodeBase64Url(passkey.publicKey);
  if (!publicKey) throw new Error('the stored key is not base64url');
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
    credential: {
      id: passkey.passkeyId,
      publicKey: new Uint8Array(publicKey),
      counter: passkey.counter,
      transports: passkey.transports as AuthenticatorTransport[],
    },
  });
  if (!verified) throw new Error('the signature is not of this passkey');
  return authenticationInfo.newCounter;
}

/** Our pages are in no frame. The library lets a browser through that does not name the frame's page. */
function refuseFrames(clientDataJSON: unknown): void {
  const bytes = typeof clientDataJSON === 'string' ? decodeBase64Url(clientDataJSON) : undefined;
  if (!bytes) throw new Error('the client data is not base64url');
  const { crossOrigin } = JSON.parse(new TextDecoder().decode(bytes)) as { crossOrigin?: unknown };
  if (crossOrigin === true) throw new Error('the passkey was asked for from within a frame');
}
