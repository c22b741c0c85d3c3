import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import type { Reader } from '../../storage/database.ts';
import { Frontier } from '../tree/frontier.ts';
import { hexLeafHash } from '../tree/hex-hash.ts';
import {
  checkpointAt,
  checkpointsAfter,
  countNodes,
  type StoredCheckpoint,
  selectNodes,
} from '../tree/tree-store.ts';
import type { CheckpointCheck } from './checkpoint-check.ts';
import type { KeptCheck } from './kept-check.ts';
import type { Faults } from './report.ts';

interface Node {
  readonly level: number;
  readonly index: number;
  readonly hash: string;
}

const CHECKPOINTS_AT_ONCE = 100;
const LEVELS = [8, 16, 24] as const;

/** Rebuilds the tree from the event hashes and compares it with stored nodes and signed checkpoints. */
export class TreeCheck {
  readonly #hasher: Hasher;
  readonly #reader: Reader;
  readonly #checkpoints: CheckpointCheck;
  readonly #kept: KeptCheck | undefined;
  readonly #faults: Faults;
  readonly #frontier: Frontier;
  readonly #storedNodes = new Map<number, number>();
  #completed: Node[] = [];
  #ahead: StoredCheckpoint[] = [];
  #lastFetched = -1;

  constructor(
    hasher: Hasher,
    reader: Reader,
    checkpoints: CheckpointCheck,
    kept: KeptCheck | undefined,
    faults: Faults,
  ) {
    this.#hasher = hasher;
    this.#reader = reader;
    this.#checkpoints = checkpoints;
    this.#kept = kept;
    this.#faults = faults;
    this.#frontier = new Frontier(hasher, (level, index, hash) =>
      this.#completed.push({ level, index, hash }),
    );
  }

  get size(): number {
    return this.#frontier.size;
  }

  root(): string {
    return this.#frontier.root();
  }

  /** The hashes of the next leaves, in order. */
  async push(eventHashes: readonly string[]): Promise<void> {
    let next = await this.#nextCheckpoint();
    await this.#compareKept();
    for (const eventHash of eventHashes) {
      this.#frontier.append(hexLeafHash(this.#hasher, eventHash));
      if (this.#kept?.nextSize === this.#frontier.size) await this.#compareKept();
      while (next && next.size <= this.#frontier.size) {
        await this.#checkHead(next);
        next = await this.#nextCheckpoint();
      }
    }
    if (next) this.#ahead.unshift(next);
    await this.#checkNodes();
  }

  /** Checkpoints beyond the last event show that events are missing. */
  async finish(signedSize: number): Promise<void> {
    for (let next = await this.#nextCheckpoint(); next; next = await this.#nextCheckpoint()) {
      const signed = await this.#checkpoints.read(next);
      if (!signed || signed.size <= this.#frontier.size) continue;
      this.#faults.add({
        kind: 'journal_cut',
        message: `A checkpoint signs ${signed.size} events, the journal has ${this.#frontier.size}.`,
        ...placeOf(next),
      });
    }
    this.#checkpoints.finish(Math.max(0, this.#lastFetched), signedSize);
    await this.#checkSurplus();
  }

  async #compareKept(): Promise<void> {
    const { size } = this.#frontier;
    if (this.#kept?.nextSize !== size) return;
    this.#kept.compare(size, this.#frontier.root(), await checkpointAt(this.#reader, size));
  }

  async #nextCheckpoint(): Promise<StoredCheckpoint | undefined> {
    if (this.#ahead.length === 0) {
      this.#ahead = await checkpointsAfter(this.#reader, this.#lastFetched, CHECKPOINTS_AT_ONCE);
      this.#lastFetched = this.#ahead.at(-1)?.size ?? this.#lastFetched;
    }
    return this.#ahead.shift();
  }

  async #checkHead(stored: StoredCheckpoint): Promise<void> {
    const signed = await this.#checkpoints.read(stored);
    if (!signed) return;
    const root = this.#frontier.root();
    if (signed.size === this.#frontier.size && toHex(signed.root) === root) return;
    this.#faults.add({
      kind: 'checkpoint_mismatch',
      message: `The first ${this.#frontier.size} events have the root ${root}, the checkpoint signs ${toHex(signed.root)} for ${signed.size}.`,
      ...placeOf(stored),
    });
  }

  /** Nodes are stored from the first on, so one may only be missing where none follows. */
  async #checkNodes(): Promise<void> {
    const computed = this.#completed;
    this.#completed = [];
    for (const level of new Set(computed.map((node) => node.level))) {
      const nodes = computed.filter((node) => node.level === level);
      const last = nodes.at(-1)?.index ?? 0;
      const stored = await selectNodes(this.#reader, level, nodes[0]?.index ?? 0, last);
      const end = await this.#storedUpTo(level);
      for (const { index, hash } of nodes) {
        const found = stored.get(index);
        if (found === hash || (found === undefined && index >= end)) continue;
        const what = found === undefined ? 'is missing' : 'does not match its events';
        this.#reportNode('tree_node_mismatch', `The node ${index} of level ${level} ${what}.`, level, index);
      }
    }
  }

  async #checkSurplus(): Promise<void> {
    for (const level of LEVELS) {
      const last = (await this.#storedUpTo(level)) - 1;
      if (last < Math.floor(this.#frontier.size / 2 ** level)) continue;
      this.#reportNode('tree_node_surplus', `The node ${last} of level ${level} has no events.`, level, last);
    }
  }

  async #storedUpTo(level: number): Promise<number> {
    const known = this.#storedNodes.get(level) ?? (await countNodes(this.#reader, level));
    this.#storedNodes.set(level, known);
    return known;
  }

  #reportNode(kind: string, message: string, level: number, index: number): void {
    const leaf = index * 2 ** level;
    this.#faults.add({ kind, message, leaf, table: 'tree_nodes', key: `${level}/${index}` });
  }
}

function placeOf({ size }: StoredCheckpoint) {
  return { leaf: size - 1, table: 'checkpoints', key: String(size) };
}
