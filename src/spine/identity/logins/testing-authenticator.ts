/** For tests: an authenticator in software, and the browser in front of it, each of which can be told to cheat. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { encodeBase64Url } from '../../../kernel/base64.ts';

export interface Cheats {
  /** The page that asked, where it is not the one that the challenge was given to. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly crossOrigin?: boolean;
  readonly type?: string;
  /** Signs with a key of its own. */
  readonly foreignKey?: boolean;
}

export interface SoftAuthenticator {
  readonly id: string;
  create(options: PublicKeyCredentialCreationOptionsJSON, cheats?: Cheats): RegistrationResponseJSON;
  get(options: PublicKeyCredentialRequestOptionsJSON, cheats?: Cheats): AuthenticationResponseJSON;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export function softAuthenticator(origin: string): SoftAuthenticator {
  const rawId = randomBytes(16);
  const id = encodeBase64Url(rawId);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  function clientData(type: string, challenge: string, cheats: Cheats): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: cheats.type ?? type,
        challenge: cheats.challenge ?? challenge,
        origin: cheats.origin ?? origin,
        crossOrigin: cheats.crossOrigin ?? false,
      }),
    );
  }

  function authenticatorData(
    rpId: string,
    flags: number,
    cheats: Cheats,
    attested = Buffer.alloc(0),
  ): Buffer {
    const count = Buffer.alloc(4);
    counter += 1;
    count.writeUInt32BE(cheats.counter ?? counter);
    const verified = (cheats.userVerified ?? true) ? VERIFIED : 0;
    const head = Buffer.from([PRESENT | verified | flags]);
    return Buffer.concat([sha256(cheats.rpId ?? rpId), head, count, attested]);
  }

  const answer = <R>(response: R) => ({
    id,
    rawId: id,
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    id,
    create(options, cheats = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), uint16(rawId.length), rawId, coseKey(publicKey)]);
      const data = authenticatorData(options.rp.id ?? '', ATTESTED, cheats, attested);
      return answer({
        clientDataJSON: encodeBase64Url(clientData('webauthn.create', options.challenge, cheats)),
        attestationObject: encodeBase64Url(
          cborMap([
            [cborText('fmt'), cborText('none')],
            [cborText('attStmt'), cborMap([])],
            [cborText('authData'), cborBytes(data)],
          ]),
        ),
        transports: ['internal' as const],
      });
    },
    get(options, cheats = {}) {
      const client = clientData('webauthn.get', options.challenge, cheats);
      const data = authenticatorData(options.rpId ?? '', 0, cheats);
      const key = cheats.foreignKey
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : privateKey;
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(key);
      return answer({
        clientDataJSON: encodeBase64Url(client),
        authenticatorData: encodeBase64Url(data),
        signature: encodeBase64Url(signature),
      });
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** EC2, ES256, P-256: labels 1, 3, -1, -2, -3 of a COSE key. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x as string, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y as string, 'base64url'))],
  ]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256
      ? Buffer.from([0x58, bytes.length])
      : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length)]);
  return Buffer.concat([head, bytes]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
