import { scrypt } from 'node:crypto';
import type { Random } from '../../../kernel/clock.ts';
import { fromHex, toHex } from '../../../kernel/hex.ts';
import { sameText } from '../credentials/secret.ts';

export interface PassphraseHash {
  readonly salt: string;
  readonly hash: string;
  /** scrypt's N; stored beside the hash so that it can grow. */
  readonly cost: number;
}

/** 32 MiB and some 80 ms of a core for each guess. */
export const PASSPHRASE_COST = 2 ** 15;
const BLOCK = 8;
const KEY_BYTES = 32;
const SHORTEST = 10;

export function isStrongEnough(passphrase: string): boolean {
  return [...passphrase.normalize('NFKC')].length >= SHORTEST;
}

export async function hashPassphrase(
  random: Random,
  passphrase: string,
  cost = PASSPHRASE_COST,
): Promise<PassphraseHash> {
  const salt = toHex(random.bytes(16));
  return { salt, hash: await derive(passphrase, salt, cost), cost };
}

/** Takes as long if nothing is stored, so that timing does not reveal whether a passphrase is set. */
export async function checkPassphrase(
  stored: PassphraseHash | undefined,
  passphrase: string,
  usualCost = PASSPHRASE_COST,
): Promise<boolean> {
  const nobodys = { salt: '00'.repeat(16), hash: '00'.repeat(KEY_BYTES), cost: usualCost };
  const { salt, hash, cost } = stored ?? nobodys;
  const same = sameText(await derive(passphrase, salt, cost), hash);
  return same && stored !== undefined;
}

function derive(passphrase: string, salt: string, cost: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: BLOCK, p: 1, maxmem: 2 * 128 * cost * BLOCK };
    scrypt(passphrase.normalize('NFKC'), fromHex(salt)!, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(toHex(key)),
    );
  });
}
