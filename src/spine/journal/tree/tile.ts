import type { Hasher } from '../../../kernel/hasher.ts';
import { hexNodeHash } from './hex-hash.ts';

/** A tile is a full subtree eight levels high, 256 nodes wide at its foot. Three tiers of tiles stand on the leaves. */
export const TILE_HEIGHT = 8;
export const TILE_WIDTH = 256;

/** The nodes of a tile as far as its foot is known: every full subtree of the nodes given. */
export class Tile {
  readonly #levels: string[][];

  constructor(hasher: Hasher, foot: string[]) {
    this.#levels = [foot];
    for (let below = foot; below.length > 1; ) {
      const level: string[] = [];
      for (let at = 0; at + 1 < below.length; at += 2) {
        level.push(hexNodeHash(hasher, below[at] as string, below[at + 1] as string));
      }
      this.#levels.push(level);
      below = level;
    }
  }

  get width(): number {
    return this.#levels[0]?.length ?? 0;
  }

  get root(): string | undefined {
    return this.#levels[TILE_HEIGHT]?.[0];
  }

  /** `level` counts from the foot of the tile. */
  node(level: number, index: number): string | undefined {
    return this.#levels[level]?.[index];
  }
}
