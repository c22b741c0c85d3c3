import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { selectLeafHashes } from '../events/event-store.ts';
import { hexLeafHash, hexNodeHash } from './hex-hash.ts';
import { countNodes, insertNodes, selectNodeHash, selectNodeHashes } from './tree-store.ts';

/** Levels whose nodes are stored: the roots of complete tiles of the first three tiers. */
const STORED_LEVELS = [8, 16, 24] as const;
const TOP_TIER = STORED_LEVELS.length;
const KEPT_TILES = 128;

export interface Tiles {
  /** The hash of the full subtree at this level and index, which must exist. */
  node(reader: Reader, level: number, index: number): Promise<string>;
  /** The root of a complete tile, computed from below. Not cached. */
  rootOf(reader: Reader, tier: number, index: number): Promise<string>;
}

/**
 * Nodes of the tree, from at most 256 event hashes and a few stored nodes each. A complete tile whose root is stored is
 * checked against it, so that a proof never rests on events that were changed after it was. A gap, which only a change
 * from outside can make, shows as a tile that is too short, or as a root that was never signed.
 */
export function createTiles(hasher: Hasher): Tiles {
  const kept = new Map<string, Tile>();

  async function tileAt(reader: Reader, tier: number, index: number, width: number): Promise<Tile> {
    const key = `${tier}/${index}`;
    const known = kept.get(key);
    if (known) kept.delete(key);
    const tile = known && known.width >= width ? known : await load(reader, tier, index, width);
    kept.set(key, tile);
    if (kept.size > KEPT_TILES) kept.delete(kept.keys().next().value as string);
    return tile;
  }

  async function load(reader: Reader, tier: number, index: number, width: number): Promise<Tile> {
    const first = index * TILE_WIDTH;
    const foot = tier === 0 ? await readLeaves(reader, first) : await readNodes(reader, tier, first);
    while (tier > 0 && foot.length < width) foot.push(await rootOf(reader, tier - 1, first + foot.length));
    if (foot.length < width)
      throw journalErrors.journal_rewritten({ details: { missing_leaf: first + foot.length } });
    const tile = new Tile(hasher, foot);
    if (tile.root !== undefined && tier < TOP_TIER) await checkStored(reader, tier, index, tile.root);
    return tile;
  }

  async function readLeaves(reader: Reader, first: number): Promise<string[]> {
    const hashes = await selectLeafHashes(reader, first, first + TILE_WIDTH);
    return hashesIn(hashes).map((hash) => hexLeafHash(hasher, hash));
  }

  async function readNodes(reader: Reader, tier: number, first: number): Promise<string[]> {
    return hashesIn(await selectNodeHashes(reader, tier * TILE_HEIGHT, first, first + TILE_WIDTH));
  }

  async function checkStored(reader: Reader, tier: number, index: number, root: string): Promise<void> {
    const level = (tier + 1) * TILE_HEIGHT;
    const stored = await selectNodeHash(reader, level, index);
    if (stored !== undefined && stored !== root) {
      throw journalErrors.journal_rewritten({ details: { level, index } });
    }
  }

  async function rootOf(reader: Reader, tier: number, index: number): Promise<string> {
    return (await load(reader, tier, index, TILE_WIDTH)).root as string;
  }

  return {
    rootOf,
    async node(reader, level, index) {
      const tier = Math.min(Math.floor(level / TILE_HEIGHT), TOP_TIER);
      const inTile = level - tier * TILE_HEIGHT;
      const across = 2 ** (TILE_HEIGHT - inTile);
      const at = index % across;
      const tile = await tileAt(reader, tier, Math.floor(index / across), (at + 1) * 2 ** inTile);
      return tile.node(inTile, at) as string;
    },
  };
}

const HASH_LENGTH = 64;

/** They come as one text, because reading each separately takes longer than hashing it. */
function hashesIn(joined: string): string[] {
  const hashes: string[] = [];
  for (let at = 0; at < joined.length; at += HASH_LENGTH) hashes.push(joined.slice(at, at + HASH_LENGTH));
  return hashes;
}

/** A tile is a full subtree, eight levels high and 256 nodes wide at its foot. There are three tiers of tiles. */
const TILE_HEIGHT = 8;
const TILE_WIDTH = 256;

/** The nodes of a tile as far as its foot is known: every full subtree of the nodes given. */
class Tile {
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

const NODES_PER_UNIT = 64;

/**
 * Stores the roots of tiles that have become complete in a tree of the size given. Appending does none of this; whoever
 * needs the tree does, and several at once only do the same work twice.
 */
type CatchUp = (size: number) => Promise<void>;

export function createCatchUp(db: Database, tiles: Tiles): CatchUp {
  /** By level: how many nodes are known to be stored, from the first on. Nodes are never removed. */
  const stored = new Map<number, number>();

  async function catchUpLevel(level: number, wanted: number): Promise<void> {
    let next = await db.read((reader) => countNodes(reader, level));
    while (next < wanted) {
      const end = Math.min(next + NODES_PER_UNIT, wanted);
      const hashes: string[] = [];
      for (let index = next; index < end; index += 1) {
        hashes.push(await db.read((reader) => tiles.rootOf(reader, level / TILE_HEIGHT - 1, index)));
        await nextTurn();
      }
      const first = next;
      await db.write((uow) => insertNodes(uow, level, first, hashes));
      next = end;
    }
    stored.set(level, next);
  }

  return async (size) => {
    for (const level of STORED_LEVELS) {
      const wanted = Math.floor(size / TILE_WIDTH ** (level / TILE_HEIGHT));
      if (wanted > (stored.get(level) ?? 0)) await catchUpLevel(level, wanted);
    }
  };
}
