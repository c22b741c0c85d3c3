import { BatonError } from '../../../kernel/error.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import { type Checkpoint, parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { type VerifyEd25519, verifyNote } from '../../../kernel/note/signed-note.ts';
import type { VerifierKey } from '../../../kernel/note/verifier-key.ts';
import { CheckpointHistory, linkOf } from '../tree/checkpoint-link.ts';
import type { StoredCheckpoint } from '../tree/tree-store.ts';
import type { Faults } from './report.ts';

export interface Trust {
  readonly keys: readonly VerifierKey[];
  readonly verify: VerifyEd25519;
}

/**
 * Judges the stored checkpoints in the order of their sizes: that each is signed, that its row says what was signed,
 * that it belongs to this store, and that it follows the one before it.
 */
export class CheckpointCheck {
  readonly #trust: Trust;
  readonly #origin: string | undefined;
  readonly #faults: Faults;
  readonly #history: CheckpointHistory;
  /** Whether what came before the next one is not known, which is reported already. */
  #unknown = false;
  count = 0;

  /** `origin` is that of the store; undefined if it has none yet. */
  constructor(hasher: Hasher, trust: Trust, origin: string | undefined, faults: Faults) {
    this.#trust = trust;
    this.#origin = origin;
    this.#faults = faults;
    this.#history = new CheckpointHistory(hasher);
  }

  /** What was signed; undefined if nothing can be read from it. */
  async read(stored: StoredCheckpoint): Promise<Checkpoint | undefined> {
    this.count += 1;
    try {
      const { text } = await verifyNote(stored.note, this.#trust.keys, this.#trust.verify);
      const signed = parseCheckpoint(text);
      this.#compareRow(stored, signed);
      this.#compareHistory(stored, signed);
      this.#history.push(text, signed);
      this.#unknown = false;
      return signed;
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      this.#unknown = true;
      const foreign = error.code === 'note_not_trusted';
      this.#report(foreign ? 'checkpoint_key_unknown' : 'checkpoint_forged', error.message, stored);
      return undefined;
    }
  }

  /** `signedSize` is the size that the journal counts as signed last. */
  finish(last: number, signedSize: number): void {
    if (last === signedSize) return;
    this.#faults.add({
      kind: 'checkpoint_missing',
      message: `The checkpoint signed last is that of ${signedSize} events, the newest stored one that of ${last}.`,
      table: 'checkpoints',
      key: String(signedSize),
    });
  }

  #compareRow(stored: StoredCheckpoint, signed: Checkpoint): void {
    if (signed.size !== stored.size || toHex(signed.root) !== stored.root) {
      const message = `The row says ${stored.size} events and root ${stored.root}, the checkpoint signs ${signed.size} and ${toHex(signed.root)}.`;
      this.#report('checkpoint_mismatch', message, stored);
    }
    if (this.#origin !== undefined && signed.origin !== this.#origin) {
      const message = `The checkpoint is of ${signed.origin}, the store is ${this.#origin}.`;
      this.#report('checkpoint_foreign', message, stored);
    }
    const link = linkOf(signed);
    if (link && link.time !== stored.createdAt) {
      this.#report(
        'checkpoint_mismatch',
        `The row says ${stored.createdAt}, the checkpoint ${link.time}.`,
        stored,
      );
    }
  }

  #compareHistory(stored: StoredCheckpoint, signed: Checkpoint): void {
    const link = linkOf(signed);
    const history = this.#history;
    if (this.#unknown || (!link && !history.linked)) return;
    if (link?.previousSize === history.size && link.history === history.digest) return;
    const follows = link ? `follows that of ${link.previousSize} events` : 'follows none';
    const message = `The checkpoint ${follows}, but the one stored before it is of ${history.size}: one is missing or was changed.`;
    this.#report('checkpoint_missing', message, stored);
  }

  #report(kind: string, message: string, { size }: StoredCheckpoint): void {
    this.#faults.add({ kind, message, leaf: size - 1, table: 'checkpoints', key: String(size) });
  }
}
