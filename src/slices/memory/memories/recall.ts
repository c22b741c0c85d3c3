import { BatonError } from '../../../kernel/error.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { MemoryDeps } from '../ports.ts';
import { accessProfile } from '../profile-access.ts';
import { readMemories } from './read.ts';
import { contentOf } from './rules.ts';

export interface RecallRequest {
  /** Without one, everything in the order it came. */
  readonly query?: string | undefined;
  readonly limit: number;
  readonly requestId: string;
  readonly session?: string | undefined;
}

export interface RecalledMemory {
  readonly memoryId: string;
  readonly content: string;
  readonly category: string | null;
}

/** A recall on behalf of another slice. That nothing may be known is an answer, not an error. */
export async function recallFor(
  deps: MemoryDeps,
  principal: Principal,
  request: RecallRequest,
): Promise<RecalledMemory[]> {
  if (!grantsScope(principal.scopes, 'memory:read')) return [];
  try {
    const { profile, caller } = await deps.db.read((reader) => accessProfile(reader, deps, principal));
    const found = await readMemories(deps, profile, caller, request);
    return found.map(({ memory }) => ({
      memoryId: memory.item.memoryId,
      content: contentOf(memory.document),
      category: memory.item.class.category ?? null,
    }));
  } catch (error) {
    if (error instanceof BatonError && error.status < 500) return [];
    throw error;
  }
}
