import { BatonError } from '../../../kernel/error.ts';
import {
  COSIGNATURE_ED25519,
  parseVerifierKey,
  type VerifierKey,
} from '../../../kernel/note/verifier-key.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { journalErrors } from '../errors.ts';

/** A server that cosigns our checkpoints, by C2SP tlog-witness. */
export interface Witness {
  readonly key: VerifierKey;
  /** Where `add-checkpoint` is. */
  readonly url: URL;
}

/** Each as `URL KEY`. Throws `witness_misconfigured`. */
export function readWitnesses(entries: readonly string[]): Witness[] {
  const witnesses = entries.map(readWitness);
  const names = new Set(witnesses.map(({ key }) => key.name));
  if (names.size < witnesses.length) {
    throw journalErrors.witness_misconfigured({ message: 'Two witnesses in BATON_WITNESSES have one name.' });
  }
  return witnesses;
}

function readWitness(entry: string): Witness {
  const [prefix = '', text = '', ...rest] = entry.trim().split(/\s+/);
  try {
    if (rest.length > 0) throw new TypeError('more than an address and a key');
    const url = new URL(`${prefix.replace(/\/+$/, '')}/add-checkpoint`);
    return { url, key: parseVerifierKey(nodeHasher, text, COSIGNATURE_ED25519) };
  } catch (cause) {
    if (!(cause instanceof BatonError || cause instanceof TypeError)) throw cause;
    throw journalErrors.witness_misconfigured({ cause, details: { entry, why: cause.message } });
  }
}
