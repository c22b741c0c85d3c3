import { BatonError } from '../../../kernel/error.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { type VerifyEd25519, verifyNote } from '../../../kernel/note/signed-note.ts';
import type { VerifierKey } from '../../../kernel/note/verifier-key.ts';
import type { Reader } from '../../storage/database.ts';
import { Frontier } from '../tree/frontier.ts';
import { hexLeafHash } from '../tree/hex-hash.ts';
import { checkpointsAfter, type StoredCheckpoint, selectNodes } from '../tree/tree-store.ts';
import type { Faults } from './report.ts';

export interface Trust {
  readonly keys: readonly VerifierKey[];
  readonly verify: VerifyEd25519;
}

interface Node {
  readonly level: number;
  readonly index: number;
  readonly hash: string;
}

const CHECKPOINTS_AT_ONCE = 100;

/** Rebuilds the tree from the event hashes and compares it with stored nodes and signed checkpoints. */
export class TreeCheck {
  readonly #hasher: Hasher;
  readonly #reader: Reader;
  readonly #trust: Trust;
  readonly #faults: Faults;
  readonly #frontier: Frontier;
  #completed: Node[] = [];
  #ahead: StoredCheckpoint[] = [];
  #lastFetched = -1;
  checkpoints = 0;

  constructor(hasher: Hasher, reader: Reader, trust: Trust, faults: Faults) {
    this.#hasher = hasher;
    this.#reader = reader;
    this.#trust = trust;
    this.#faults = faults;
    this.#frontier = new Frontier(hasher, (level, index, hash) =>
      this.#completed.push({ level, index, hash }),
    );
  }

  /** The hashes of the next leaves, in order. */
  async push(eventHashes: readonly string[]): Promise<void> {
    let next = await this.#nextCheckpoint();
    for (const eventHash of eventHashes) {
      this.#frontier.append(hexLeafHash(this.#hasher, eventHash));
      while (next && next.size <= this.#frontier.size) {
        await this.#checkHead(next);
        next = await this.#nextCheckpoint();
      }
    }
    if (next) this.#ahead.unshift(next);
    await this.#checkNodes();
  }

  /** Checkpoints beyond the last event show that events are missing. */
  async finish(): Promise<string> {
    for (let next = await this.#nextCheckpoint(); next; next = await this.#nextCheckpoint()) {
      const signed = await this.#signed(next);
      if (!signed || signed.size <= this.#frontier.size) continue;
      this.#faults.add({
        kind: 'journal_cut',
        message: `A checkpoint signs ${signed.size} events, the journal has ${this.#frontier.size}.`,
        ...placeOf(next),
      });
    }
    return this.#frontier.root();
  }

  async #nextCheckpoint(): Promise<StoredCheckpoint | undefined> {
    if (this.#ahead.length === 0) {
      this.#ahead = await checkpointsAfter(this.#reader, this.#lastFetched, CHECKPOINTS_AT_ONCE);
      this.#lastFetched = this.#ahead.at(-1)?.size ?? this.#lastFetched;
    }
    return this.#ahead.shift();
  }

  async #checkHead(stored: StoredCheckpoint): Promise<void> {
    const signed = await this.#signed(stored);
    if (!signed) return;
    const root = this.#frontier.root();
    if (signed.size === this.#frontier.size && toHex(signed.root) === root && stored.root === root) return;
    this.#faults.add({
      kind: 'checkpoint_mismatch',
      message: `The first ${stored.size} events have the root ${root}, the checkpoint signs ${toHex(signed.root)}.`,
      ...placeOf(stored),
    });
  }

  async #signed(stored: StoredCheckpoint) {
    this.checkpoints += 1;
    try {
      const { text } = await verifyNote(stored.note, this.#trust.keys, this.#trust.verify);
      return parseCheckpoint(text);
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      const unknown = error.code === 'note_not_trusted';
      this.#faults.add({
        kind: unknown ? 'checkpoint_key_unknown' : 'checkpoint_forged',
        message: error.message,
        ...placeOf(stored),
      });
      return undefined;
    }
  }

  async #checkNodes(): Promise<void> {
    const computed = this.#completed;
    this.#completed = [];
    for (const level of new Set(computed.map((node) => node.level))) {
      const nodes = computed.filter((node) => node.level === level);
      const last = nodes.at(-1)?.index ?? 0;
      const stored = await selectNodes(this.#reader, level, nodes[0]?.index ?? 0, last);
      for (const { index, hash } of nodes) {
        if ((stored.get(index) ?? hash) === hash) continue;
        this.#faults.add({
          kind: 'tree_node_mismatch',
          message: `The stored node ${index} of level ${level} does not match its events.`,
          leaf: index * 2 ** level,
          table: 'tree_nodes',
          key: `${level}/${index}`,
        });
      }
    }
  }
}

function placeOf({ size }: StoredCheckpoint) {
  return { leaf: size - 1, table: 'checkpoints', key: String(size) };
}
