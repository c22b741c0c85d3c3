import { asString } from '../../../kernel/json/loose.ts';
import type { CleanupReport } from '../../../spine/operations/cleanup-report.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { objectMember } from '../documents.ts';
import { listMemories, type Memory } from '../memories/keep.ts';
import { contentOf, freshness } from '../memories/rules.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import type { cleanupOperations } from './operations.ts';
import { findMemoryRot, type KeptMemory } from './rules.ts';

/** What one report looks at: the newest. */
const MOST_MEMORIES = 2_000;
const SHOWN = 160;

export function createCleanupHandlers(deps: MemoryDeps): Handlers<typeof cleanupOperations> {
  return {
    'memory.cleanup': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      return { body: await report(reader, deps, profile, query.imported === true) };
    },
  };
}

async function report(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  importedOnly: boolean,
): Promise<CleanupReport> {
  const all = await listMemories(reader, deps, profile, { statuses: ['approved'], limit: MOST_MEMORIES });
  const memories = importedOnly ? all.filter(isImported) : all;
  const now = deps.clock.now();
  const kept = memories.map((memory) => keptMemory(memory, profile, now));
  await reader.giveTurn();
  const textOf = new Map(kept.map(({ id, content }) => [id, content.slice(0, SHOWN)]));
  const found = findMemoryRot(kept, now, deps.hasSecret);
  return {
    looked_at: memories.length,
    more: all.length === MOST_MEMORIES,
    findings: found.map(({ kind, ids, why, proposal }) => ({
      kind,
      // A report is read by more eyes than the secret should be.
      things: ids.map((id) => ({
        kind: 'memory' as const,
        id,
        text: kind === 'secret' ? '' : (textOf.get(id) ?? ''),
      })),
      why,
      proposal: { ...proposal, input: { ...proposal.input, profile: profile.did } },
    })),
  };
}

function isImported({ document }: Memory): boolean {
  return asString(objectMember(document, 'source').type) === 'user_import';
}

function keptMemory({ item, document }: Memory, { settings }: Profile, now: number): KeptMemory {
  return {
    id: item.memoryId,
    content: contentOf(document),
    type: item.class.type,
    category: item.class.category,
    since: item.since,
    pinned: item.pinned,
    reads: item.useCount,
    suggests: freshness(item, now, settings.decay).suggests,
  };
}
