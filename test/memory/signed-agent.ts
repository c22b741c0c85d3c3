/** For tests: somebody who signs each request to a2p with a key of their own. */
import { encodeBase64 } from '../../src/kernel/base64.ts';
import { formatMillis } from '../../src/kernel/instant.ts';
import { ed25519, nodeHasher, systemClock } from '../../src/platform/index.ts';
import { signedDigest } from '../../src/slices/memory/a2p/rules.ts';

export interface SignChange {
  readonly seed?: Uint8Array;
  readonly ts?: string;
  readonly nonce?: string;
  readonly did?: string;
  /** Changes the body after it was signed. */
  readonly tamper?: boolean;
}

let nonces = 0;

export function createSignedAgent(
  server: { readonly url: string },
  did: string,
  seed: Uint8Array,
  clock: { now(): number } = systemClock,
) {
  return async (method: string, path: string, body?: object, change: SignChange = {}) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const timestamp = change.ts ?? formatMillis(clock.now());
    const nonce = change.nonce ?? `nonce${String(nonces++).padStart(15, '0')}`;
    const digest = signedDigest(
      nodeHasher,
      { method, path, body: new TextEncoder().encode(text) },
      { timestamp, nonce },
    );
    const sig = encodeBase64(ed25519.sign(change.seed ?? seed, digest));
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `A2P-Signature did="${change.did ?? did}",sig="${sig}",ts="${timestamp}",nonce="${nonce}"`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: change.tamper ? text.replace('tea', 'rum') : text }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
}
