import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { callerOf } from '../caller.ts';
import { classify } from '../memories/classify.ts';
import { selectClasses } from '../memories/store.ts';
import { createEntrance } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import type { MemoryService } from '../slice.ts';
import { candidateBody, proposalBody } from '../views.ts';
import type { proposalOperations } from './operations.ts';
import { decideProposal } from './review.ts';
import { statusesAsked } from './rules.ts';
import { flatProposal, readProposed } from './shape.ts';

const SIMILAR = 5;

export function createProposalHandlers(service: MemoryService): Handlers<typeof proposalOperations> {
  const { deps, merges, proposals } = service;
  const { enter, ownProfile } = createEntrance(service);

  /** Of any type and category: a habit may contradict a fact. */
  const similarTo = async (reader: Reader, profile: Profile, text: string, not: readonly string[]) => {
    const classes = await selectClasses(reader, profile.did);
    const ids = classes.map(({ classId }) => classId);
    return merges.similar(reader, profile, text, not, SIMILAR, ids);
  };

  return {
    'memory.propose': async (uow, { input: { body }, principal, requestId }) => {
      const { profile: did, ...given } = body;
      const proposed = readProposed(given);
      const { profile, caller } = await enter(uow, principal, did);
      return { body: proposalBody(await proposals.propose(uow, profile, caller, proposed, { requestId })) };
    },
    'memory.proposals.list': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await enter(reader, principal, query.profile);
      const { limit = 50, offset = 0 } = query;
      const found = await proposals.list(reader, profile, caller, {
        statuses: statusesAsked(query.status),
        limit,
        offset,
      });
      return { body: { proposals: found.map(flatProposal) } };
    },
    'memory.proposals.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const proposal = await proposals.get(reader, profile, callerOf(principal, profile), path.id);
      const not = proposal.createdMemoryId === undefined ? [] : [proposal.createdMemoryId];
      const similar = proposal.content === '' ? [] : await similarTo(reader, profile, proposal.content, not);
      return {
        body: {
          ...flatProposal({ ...proposal, similarTo: similar.map(({ memory }) => memory.item.memoryId) }),
          similar: similar.map(candidateBody),
          classified: classify({
            content: proposal.content,
            context: proposal.context,
            episodes: proposal.evidence.length,
          }),
        },
      };
    },
    'memory.proposals.review': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, action, reason, ...edits } = body;
      const profile = await ownProfile(uow, principal, did);
      const row = await decideProposal(deps, uow, profile, principal, path.id, { action, reason, edits });
      return { body: proposalBody(row) };
    },
    'memory.proposals.withdraw': async (uow, { input: { path, query }, principal }) => {
      const { profile, caller } = await enter(uow, principal, query.profile);
      return { body: proposalBody(await proposals.withdraw(uow, profile, caller, path.id)) };
    },
  };
}
