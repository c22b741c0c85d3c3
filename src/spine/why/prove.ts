import { readJson } from '../../kernel/json/reader.ts';
import type { ProofBundle } from '../../kernel/proof-bundle.ts';
import { rowsDigest } from '../../kernel/proved-rows.ts';
import { formatWhyProof, WHY_EVENT, whyDigests } from '../../kernel/why-proof.ts';
import type { Principal } from '../identity/principal.ts';
import type { RowEvidence } from '../journal/state/row-evidence.ts';
import type { Follower } from './follow.ts';
import type { WhyDeps } from './handlers.ts';
import { rowsBehind } from './rows-behind.ts';
import type { Explanation } from './schema.ts';
import { selectEventsAbout } from './store.ts';

export interface ProveDeps extends Pick<WhyDeps, 'db' | 'tree' | 'hasher' | 'record' | 'provenances'> {
  readonly follower: Follower;
  readonly evidence: RowEvidence;
}

/** Records that the explanation was given and on which rows it rests, then proves that record, every step and every row. */
export function createProve({ db, tree, hasher, record, follower, evidence, provenances }: ProveDeps) {
  return async (principal: Principal, explanation: Explanation): Promise<string> => {
    const projectId = explanation.project_id;
    const chain = readJson(JSON.stringify(explanation));
    const digests = whyDigests(hasher, chain);
    const wanted = await db.read((reader) => rowsBehind(reader, provenances, principal, explanation));
    const rows = await evidence(projectId, wanted, { ofStore: principal.projects === 'all' });
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
          rows_digest: rowsDigest(hasher, rows),
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
    const proved = async (ids: ReadonlySet<string>) => {
      const proofs: ProofBundle[] = [];
      for (const eventId of ids) proofs.push(await tree.prove(eventId));
      return proofs;
    };
    const proofs = await proved(eventIds);
    const records = await proved(new Set(rows.flatMap(({ event_id }) => event_id ?? [])));
    return formatWhyProof({ chain, attestation, proofs, rows, records });
  };
}
