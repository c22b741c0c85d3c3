import { BatonError } from '../../../kernel/error.ts';
import { toHex } from '../../../kernel/hex.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { claimedBy, cosignedAt } from '../../../kernel/note/cosignature.ts';
import { parseNote, type VerifyEd25519, verifyNote } from '../../../kernel/note/signed-note.ts';
import type { VerifierKey } from '../../../kernel/note/verifier-key.ts';
import type { StoredCheckpoint } from '../tree/tree-store.ts';
import type { Faults, KeptReport } from './report.ts';

/** Checkpoints that somebody kept outside the store, and whom he trusts. */
export interface KeptQuestion {
  /** Signed notes. */
  readonly notes: readonly string[];
  /** Who must have signed them, as `name+id+key`; the store's own keys if there is none. */
  readonly keys: readonly string[];
  /** Witnesses, each of which must have cosigned one of them, or one in the store. */
  readonly witnessKeys: readonly string[];
}

export interface KeptTrust {
  readonly keys: readonly VerifierKey[];
  readonly witnesses: readonly VerifierKey[];
  readonly verify: VerifyEd25519;
  /** That of the store; undefined if it has none yet. */
  readonly origin: string | undefined;
}

interface Kept {
  readonly size: number;
  /** Hex. */
  readonly root: string;
}

/**
 * Compares what was kept with the tree as it grows. Whoever owns the store and its key can write another history, but
 * not one that contains the heads that others have seen.
 */
export class KeptCheck {
  readonly #trust: KeptTrust;
  readonly #faults: Faults;
  readonly #waiting: Kept[] = [];
  readonly #witnessed = new Map<VerifierKey, { readonly size: number; readonly time: number }>();
  #count = 0;
  #newest = 0;

  constructor(trust: KeptTrust, faults: Faults) {
    this.#trust = trust;
    this.#faults = faults;
  }

  async add(notes: readonly string[]): Promise<void> {
    for (const note of notes) await this.#add(note);
    this.#waiting.sort((one, other) => one.size - other.size);
  }

  /** The size at which the tree is to be compared next. */
  get nextSize(): number {
    return this.#waiting[0]?.size ?? Number.POSITIVE_INFINITY;
  }

  /** `stored` is the checkpoint of that size that the store has itself, if it has one. */
  compare(size: number, root: string, stored: StoredCheckpoint | undefined): void {
    while (this.#waiting[0]?.size === size) {
      const kept = this.#waiting.shift() as Kept;
      if (kept.root === root) continue;
      if (stored && stored.root !== kept.root && stored.root === root) {
        const message = `Two checkpoints of ${size} events were signed: the kept one with the root ${kept.root}, the stored one with ${root}.`;
        this.#report('kept_split_view', message, size);
      } else {
        const message = `The first ${size} events have the root ${root}, the kept checkpoint signs ${kept.root}.`;
        this.#report('kept_rewritten', message, size);
      }
    }
  }

  /** A witness has cosigned, on a kept note or in the store. */
  witnessed(key: VerifierKey, size: number, time: number): void {
    const asked = this.#trust.witnesses.find(({ keyId }) => keyId === key.keyId);
    if (asked && size >= (this.#witnessed.get(asked)?.size ?? 0)) this.#witnessed.set(asked, { size, time });
  }

  finish(size: number): KeptReport {
    for (const kept of this.#waiting) {
      const message = `A kept checkpoint signs ${kept.size} events, the journal has ${size}.`;
      this.#report('kept_cut', message, kept.size);
    }
    for (const key of this.#trust.witnesses) {
      if (this.#witnessed.has(key)) continue;
      this.#faults.add({ kind: 'cosignature_missing', message: `No checkpoint is cosigned by ${key.name}.` });
    }
    return {
      checkpoints: this.#count,
      newest: this.#newest,
      witnesses: [...this.#witnessed].map(([{ name }, seen]) => ({ name, ...seen })),
    };
  }

  async #add(note: string): Promise<void> {
    this.#count += 1;
    const { keys, verify, origin } = this.#trust;
    try {
      const { text } = await verifyNote(note, keys, verify);
      const signed = parseCheckpoint(text);
      if (origin !== undefined && signed.origin !== origin) {
        const message = `A kept checkpoint is of ${signed.origin}, the store is ${origin}.`;
        this.#report('kept_foreign', message, signed.size);
        return;
      }
      this.#newest = Math.max(this.#newest, signed.size);
      this.#waiting.push({ size: signed.size, root: toHex(signed.root) });
      await this.#addCosignatures(note, signed.size);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      const kind = error.code === 'note_not_trusted' ? 'kept_key_unknown' : 'kept_forged';
      this.#faults.add({ kind, message: `Kept checkpoint ${this.#count}: ${error.message}` });
    }
  }

  async #addCosignatures(note: string, size: number): Promise<void> {
    const { text, signatures } = parseNote(note);
    for (const key of this.#trust.witnesses) {
      for (const signature of claimedBy(signatures, key)) {
        const time = await cosignedAt(text, signature, key, this.#trust.verify);
        if (time === undefined) {
          this.#report(
            'cosignature_forged',
            `The cosignature of ${key.name} does not fit the checkpoint.`,
            size,
          );
        } else this.witnessed(key, size, time);
      }
    }
  }

  #report(kind: string, message: string, size: number): void {
    this.#faults.add({ kind, message, leaf: size - 1 });
  }
}
