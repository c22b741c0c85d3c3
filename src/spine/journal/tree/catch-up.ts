import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../storage/database.ts';
import { TILE_HEIGHT, TILE_WIDTH } from './tile.ts';
import { STORED_LEVELS, type Tiles } from './tiles.ts';
import { countNodes, insertNodes } from './tree-store.ts';

const NODES_PER_UNIT = 64;

/**
 * Stores the roots of tiles that have become complete in a tree of the size given. Appending does none of this; whoever
 * needs the tree does, and several at once only do the same work twice.
 */
export type CatchUp = (size: number) => Promise<void>;

export function createCatchUp(db: Database, tiles: Tiles): CatchUp {
  /** By level: how many nodes are known to be stored, from the first on. Nodes are never taken back. */
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
