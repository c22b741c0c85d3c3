import { encodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import type { Checkpoint } from '../../../kernel/note/checkpoint.ts';

/**
 * What a checkpoint says, under its signature, of those before it: the tree alone cannot tell that one of them is gone.
 * Two extension lines: `previous <size> <hash>` and `time <instant>`. Checkpoints of earlier versions have neither.
 */
export interface CheckpointLink {
  readonly previousSize: number;
  /** Base64; see `CheckpointHistory`. */
  readonly history: string;
  readonly time: string;
}

const PREVIOUS = /^previous (0|[1-9][0-9]*) ([A-Za-z0-9+/]{43}=)$/;
const TIME = /^time (\S+)$/;

export function linkLines({ previousSize, history, time }: CheckpointLink): string[] {
  return [`previous ${previousSize} ${history}`, `time ${time}`];
}

export function linkOf({ extensions }: Checkpoint): CheckpointLink | undefined {
  const previous = PREVIOUS.exec(extensions[0] ?? '');
  const time = TIME.exec(extensions[1] ?? '');
  if (!previous || !time) return undefined;
  return {
    previousSize: Number(previous[1]),
    history: previous[2] as string,
    time: time[1] as string,
  };
}

/**
 * The digest that the next checkpoint names: of the texts signed since the last one that has a link, that one included.
 * Its own link stands for all before it; in a store of an earlier version, the first link covers all that have none.
 */
export class CheckpointHistory {
  readonly #hasher: Hasher;
  #digest: Uint8Array;
  size = 0;
  /** Whether one with a link was seen: from then on, all have one. */
  linked = false;

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
    this.#digest = hasher.bytes('');
  }

  get digest(): string {
    return encodeBase64(this.#digest);
  }

  push(text: string, checkpoint: Checkpoint): void {
    const hasLink = linkOf(checkpoint) !== undefined;
    this.#digest = this.#hasher.bytes(hasLink ? text : `${toHex(this.#digest)}${text}`);
    this.size = checkpoint.size;
    this.linked ||= hasLink;
  }
}
