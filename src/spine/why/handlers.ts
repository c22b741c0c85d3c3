import type { Hasher } from '../../kernel/hasher.ts';
import { WHY_EVENT } from '../../kernel/why-proof.ts';
import type { RecordEvent } from '../identity/ledger.ts';
import type { Principal } from '../identity/principal.ts';
import type { Feed } from '../journal/feed/feed.ts';
import { type Provenance, source, thing } from '../journal/provenance.ts';
import type { RowEvidence } from '../journal/state/row-evidence.ts';
import type { Tree } from '../journal/tree/tree.ts';
import { type Handlers, JsonText } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { explain, type Question } from './explain.ts';
import { createFollower, type Follower } from './follow.ts';
import { forwardAnswer, reach } from './forward.ts';
import type { whyOperations } from './operations.ts';
import { createProve } from './prove.ts';

/** A proved explanation can itself be explained. */
const whyProvenance: Provenance = {
  account({ event_type, payload }) {
    if (event_type !== WHY_EVENT) return undefined;
    return {
      words: 'an explanation was given',
      about: thing('explanation', payload.chain_digest),
      from: source('subject', String(payload.subject_kind), payload.subject_id),
    };
  },
};

export interface WhyDeps {
  readonly db: Database;
  readonly feed: Feed;
  readonly tree: Tree;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
  /** One for each room that explains where its things came from. */
  readonly provenances: readonly Provenance[];
  readonly evidence: RowEvidence;
}

export interface Why {
  readonly handlers: Handlers<typeof whyOperations>;
  readonly follower: Follower;
}

export function createWhy(deps: WhyDeps): Why {
  const { db, feed, tree, hasher, record, evidence, provenances: rooms } = deps;
  const provenances = [...rooms, whyProvenance];
  const follower = createFollower(db, feed, provenances);
  const prove = createProve({ db, tree, hasher, record, follower, evidence, provenances });

  async function explained(principal: Principal, question: Question) {
    await follower.catchUp();
    return db.read((reader) => explain(reader, provenances, principal, question));
  }

  return {
    follower,
    handlers: {
      'why.explain': async ({ input, principal }) => ({ body: await explained(principal, input.query) }),
      'why.forward': async ({ input, principal }) => {
        await follower.catchUp();
        const found = await reach({ db, provenances }, principal, input.query);
        return { body: await forwardAnswer({ db, provenances }, found, input.query.limit) };
      },
      'why.prove': async ({ input, principal }) => ({
        body: new JsonText(await prove(principal, await explained(principal, input.body))),
      }),
    },
  };
}
