import type { Reader } from '../../../spine/storage/database.ts';
import { getMemory, listMemories, type Memory, memoryIdOf, plainMemory } from '../memories/keep.ts';
import { contentOf } from '../memories/rules.ts';
import { COLLECTION } from '../memories/search-document.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { draftMerge, isExactDuplicate, mayContradict, wordSimilarity } from './rules.ts';

export interface SimilarMemory {
  readonly memory: Memory;
  /** Shared words and nearness of meaning together: good for ranking, not for deciding. */
  readonly score: number;
  readonly exact: boolean;
  readonly mayContradict: boolean;
}

interface SimilarityFilter {
  readonly except: readonly string[];
  readonly limit: number;
  readonly classes: readonly number[];
}

/** Approved memories of these classes that resemble a text, the nearest first. */
export async function similarMemories(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  text: string,
  { except, limit, classes }: SimilarityFilter,
): Promise<SimilarMemory[]> {
  if (classes.length === 0) return [];
  const hits = await deps.search.search(reader, {
    projectId: profile.projectId,
    collections: [COLLECTION],
    query: text,
    limit: limit + except.length,
    filter: { attributes: { class: classes.map(String) } },
  });
  const near = new Map(hits.map((hit) => [memoryIdOf(hit.id), hit.similarity ?? 0]));
  const ids = [...near.keys()].filter((id) => !except.includes(id));
  const ranked = (await listMemories(reader, deps, profile, { ids })).map((memory) => {
    const content = contentOf(memory.document);
    const words = wordSimilarity(text, content);
    return {
      memory,
      score: (words + Math.max(0, near.get(memory.item.memoryId) ?? 0)) / 2,
      exact: isExactDuplicate({ content: text }, memory.document),
      mayContradict: mayContradict(text, content),
    };
  });
  return ranked.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Memories that could be merged with this one, and the text that merging all of them would start from. */
export async function mergeCandidates(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  memoryId: string,
): Promise<{ readonly candidates: readonly SimilarMemory[]; readonly draft: string }> {
  const memory = await getMemory(reader, deps, profile, memoryId);
  const content = contentOf(memory.document);
  const candidates = await similarMemories(reader, deps, profile, content, {
    except: [memoryId],
    limit: 20,
    classes: [memory.item.class.classId],
  });
  const contents = candidates.map((each) => contentOf(each.memory.document));
  return { candidates, draft: draftMerge([content, ...contents]) };
}

export const similarBody = ({ memory, score, exact, mayContradict }: SimilarMemory) => ({
  ...plainMemory(memory),
  score,
  exact,
  may_contradict: mayContradict,
});
