/** For speed: a message to a governed agent whose decision is shared takes as long as one to any other. */
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { GovernanceDeps } from '../ports.ts';
import { checkPolicy, type PolicyAnswer, type PolicyQuestion, type SteadyAnswer } from './check-policy.ts';

export interface SharedAnswer extends PolicyAnswer {
  /** What each call leaves on record, where the answer did not leave it: to be run soon, in whichever unit. */
  readonly record?: (uow: UnitOfWork) => Promise<void>;
}

export interface SharedChecks {
  /**
   * As `checkPolicy`, in a unit of its own; but what was allowed is allowed again without one for as long as the same
   * Atlases are loaded and the session is active, where nothing else can change the answer: no clock, no fact, no limit
   * and no approval. At most for a minute, and not longer than its resolution.
   */
  check(principal: Principal, question: PolicyQuestion): Promise<SharedAnswer>;
}

interface Shared {
  readonly answer: PolicyAnswer;
  readonly steady: SteadyAnswer;
  readonly until: number;
}

const KEPT_MICROS = 60e6;
const MOST_KEPT = 1_000;

export function createSharedChecks(deps: GovernanceDeps): SharedChecks {
  const { db, clock, hasher } = deps;
  const kept = new Map<string, Shared>();

  async function holds(reader: Reader, projectId: string, { steady }: Shared): Promise<boolean> {
    const { key } = await deps.sets.load(reader, projectId, undefined);
    if (key !== steady.setKey) return false;
    const session = await selectSession(reader, steady.sessionId);
    return session !== undefined && session.status !== 'ended' && session.agentId === steady.agentId;
  }

  return {
    async check(principal, question) {
      const { actor, defaultProject: projectId, credential, scopes, speaksFor } = principal;
      const names = [...speaksFor].sort();
      const asked = [projectId, actor.type, actor.id, names, credential.kind, [...scopes].sort(), question];
      const key = hasher.hex(canonicalJcs(fromPlain(asked)));
      const known = kept.get(key);
      if (known) {
        const isFresh = clock.now() < known.until;
        if (isFresh && (await db.read((reader) => holds(reader, projectId, known))))
          return { ...known.answer, record: known.steady.record };
        kept.delete(key);
      }
      const { steady, ...answer } = await db.write((uow) => checkPolicy(uow, deps, principal, question));
      if (steady) {
        if (kept.size >= MOST_KEPT) kept.clear();
        kept.set(key, { answer, steady, until: Math.min(steady.expires, clock.now() + KEPT_MICROS) });
      }
      return answer;
    },
  };
}
