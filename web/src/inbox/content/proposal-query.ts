import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { flag, list, maybe, maybeText, number, shape, text } from '../../api/shape.ts';
import type { InboxItem } from '../queries.ts';

const readParty = maybe(shape({ did: text, name: maybeText, display_name: maybeText }));

const readProposal = shape({
  id: text,
  content: text,
  category: maybeText,
  memory_type: text,
  memory_type_given: maybe(flag),
  confidence: number,
  sensitivity: shape({ declared: maybeText, of_category: text, effective: text }),
  scope: list(text),
  tags: list(text),
  priority: text,
  agent_name: maybeText,
  session_id: maybeText,
  supersedes: maybeText,
  targetMemoryId: maybeText,
  proposedAt: text,
  expiresAt: text,
  context: maybeText,
  agentDid: text,
  evidence: list(shape({ type: maybeText, quote: maybeText, timestamp: maybeText })),
  similar: list(shape({ memory: shape({ id: text, content: text }), exact: flag, may_contradict: flag })),
});

export type Proposal = ReturnType<typeof readProposal> & {
  readonly about: ReturnType<typeof readParty>;
  readonly proposedBy: ReturnType<typeof readParty>;
};

/** Whose profile it is about stands in the item: a person may keep several. */
export const proposalQuery = ({ id: itemId, subject }: InboxItem) =>
  queryOptions({
    queryKey: ['memory', 'proposal', subject.id],
    queryFn: async ({ signal }): Promise<Proposal> => {
      const { details } = await client.call('inbox.get', { id: itemId }, { signal });
      const about = readParty(details?.about);
      const asked = { id: subject.id, ...(about && { profile: about.did }) };
      const proposal = await client.call('memory.proposals.get', asked, { signal });
      return { ...readProposal(proposal), about, proposedBy: readParty(details?.proposed_by) };
    },
  });
