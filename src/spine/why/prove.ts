import { readJson } from '../../kernel/json/reader.ts';
import { formatWhyProof, WHY_EVENT, whyDigests } from '../../kernel/why-proof.ts';
import type { Principal } from '../identity/principal.ts';
import type { Follower } from './follow.ts';
import type { WhyDeps } from './handlers.ts';
import type { Explanation } from './schema.ts';
import { selectEventsAbout } from './store.ts';

export interface ProveDeps extends Pick<WhyDeps, 'db' | 'tree' | 'hasher' | 'record'> {
  readonly follower: Follower;
}

/** Records that the explanation was given, then proves that record and every step. */
export function createProve({ db, tree, hasher, record, follower }: ProveDeps) {
  return async (principal: Principal, explanation: Explanation): Promise<string> => {
    const projectId = explanation.project_id;
    const chain = readJson(JSON.stringify(explanation));
    const digests = whyDigests(hasher, chain);
    await db.write((uow) =>
      record(uow, {
        projectId,
        actor: principal.actor,
        type: WHY_EVENT,
        payload: {
          subject_kind: explanation.kind,
          subject_id: explanation.id,
          chain_digest: digests.chain,
          steps: digests.steps,
        },
      }),
    );
    await follower.catchUp();
    const about = { kind: 'explanation', id: digests.chain };
    const [attested] = await db.read((reader) => selectEventsAbout(reader, projectId, about, 1));
    if (!attested) throw new Error('the explanation that was just recorded is not in the journal');
    const steps = explanation.nodes.flatMap((node) => node.steps);
    const eventIds = new Set(steps.filter(({ pruned }) => !pruned).map(({ event_id }) => event_id));
    // The newest first: its checkpoint covers all the others.
    const attestation = await tree.prove(attested.eventId);
    const proofs = [];
    for (const eventId of eventIds) proofs.push(await tree.prove(eventId));
    return formatWhyProof({ chain, attestation, proofs });
  };
}
