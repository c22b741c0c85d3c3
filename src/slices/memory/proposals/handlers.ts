import type { Handlers } from '../../../spine/operations/handler.ts';
import type { MemoryDeps } from '../ports.ts';
import { accessProfile, ownProfile } from '../profile-access.ts';
import { listProposals, showProposal } from './find.ts';
import type { proposalOperations } from './operations.ts';
import { propose } from './propose.ts';
import { reviewProposal, withdrawProposal } from './review.ts';
import { statusesOf } from './rules.ts';
import { flatProposal, proposedBy, readProposal } from './shape.ts';
import type { ProposalRow } from './store.ts';

export function createProposalHandlers(deps: MemoryDeps): Handlers<typeof proposalOperations> {
  return {
    'memory.propose': async (uow, { input: { body }, principal, requestId }) => {
      const { profile: did, ...given } = body;
      const proposed = readProposal(given);
      const { profile, caller } = await accessProfile(uow, deps, principal, did, proposedBy(given));
      return { body: proposalBody(await propose(uow, deps, profile, caller, proposed, { requestId })) };
    },
    'memory.proposals.list': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await accessProfile(reader, deps, principal, query.profile);
      const { limit = 50, offset = 0 } = query;
      const filter = { statuses: statusesOf(query.status), limit, offset };
      const found = await listProposals(reader, deps, profile, caller, filter);
      return { body: { proposals: found.map(flatProposal) } };
    },
    'memory.proposals.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, deps, principal, query.profile);
      return { body: await showProposal(reader, deps, profile, path.id) };
    },
    'memory.proposals.review': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, action, reason, ...edits } = body;
      const profile = await ownProfile(uow, deps, principal, did);
      const review = { action, reason, edits };
      return { body: proposalBody(await reviewProposal(uow, deps, profile, principal, path.id, review)) };
    },
    'memory.proposals.withdraw': async (uow, { input: { path, query }, principal }) => {
      const { profile, caller } = await accessProfile(uow, deps, principal, query.profile);
      return { body: proposalBody(await withdrawProposal(uow, deps, profile, caller, path.id)) };
    },
  };
}

/** Ids and states only: responses to writes may be stored for their idempotency key. */
const proposalBody = (row: ProposalRow) => ({
  proposal_id: row.proposal_id,
  status: row.status,
  expires_at: row.expires_at,
  memory_id: row.created_memory_id,
});
