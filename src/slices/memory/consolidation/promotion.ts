import type { MemoryType } from '../memory-type.ts';
import type { Sensitivity } from '../sensitivity.ts';

export interface PromotionSettings {
  readonly mode?: 'off' | 'suggest' | 'auto';
  /** Whether all of the three signs are needed, or one is enough. */
  readonly match?: 'all' | 'any';
}

export interface Episode {
  readonly id: string;
  readonly type: MemoryType;
  readonly status: string;
  readonly sensitivity: Sensitivity;
  readonly confidence: number;
  readonly useCount: number;
  /** `YYYY-MM-DD` of when it was learned. */
  readonly day: string;
  readonly session: string | undefined;
  /** It was known once, and its person made it an episode again. */
  readonly movedBack?: boolean;
}

export interface PromotionVerdict {
  readonly action: 'none' | 'suggest' | 'auto';
  readonly signs: { readonly confidence: boolean; readonly uses: boolean; readonly episodes: boolean };
}

export const PROMOTION_CONFIDENCE = 0.9;
export const PROMOTION_USES = 10;
const EPISODES = 3;

/** An approved episode with its similar ones: whether it has become something that is simply known. */
export function judgePromotion(
  episode: Episode,
  similar: readonly Episode[],
  settings: PromotionSettings = {},
): PromotionVerdict {
  const kin = [episode, ...similar.filter(({ id }) => id !== episode.id)].filter(
    ({ type, status }) => type === 'episodic' && status === 'approved',
  );
  const signs = {
    confidence: episode.confidence > PROMOTION_CONFIDENCE,
    uses: episode.useCount > PROMOTION_USES,
    episodes: separateOccasions(kin) >= EPISODES,
  };
  const mode = settings.mode ?? 'suggest';
  const given = Object.values(signs);
  const enough = settings.match === 'any' ? given.some(Boolean) : given.every(Boolean);
  const stands = episode.type === 'episodic' && episode.status === 'approved' && episode.movedBack !== true;
  if (mode === 'off' || !enough || !stands) return { action: 'none', signs };
  const open = episode.sensitivity === 'public' || episode.sensitivity === 'standard';
  return { action: mode === 'auto' && open ? 'auto' : 'suggest', signs };
}

/** Episodes of one session and one day are one occasion. */
function separateOccasions(episodes: readonly Episode[]): number {
  return new Set(episodes.map(({ session, day }) => `${day} ${session ?? ''}`)).size;
}
