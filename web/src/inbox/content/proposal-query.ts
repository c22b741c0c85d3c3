import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { InboxItem } from '../queries.ts';

export interface Proposal {
  readonly id: string;
  readonly content: string;
  readonly category?: string;
  readonly memory_type: string;
  readonly memory_type_given?: boolean;
  readonly confidence: number;
  readonly sensitivity: {
    readonly declared?: string;
    readonly of_category: string;
    readonly effective: string;
  };
  readonly scope: readonly string[];
  readonly tags: readonly string[];
  readonly priority: string;
  readonly agent_name?: string;
  readonly session_id?: string;
  readonly supersedes?: string;
  readonly targetMemoryId?: string;
  readonly proposedAt: string;
  readonly expiresAt: string;
  readonly context?: string;
  readonly agentDid: string;
  readonly evidence?: readonly Evidence[];
  readonly similar: readonly SimilarMemory[];
  readonly about: Party | undefined;
  readonly proposedBy: Party | undefined;
}

interface Evidence {
  readonly type?: string;
  readonly quote?: string;
  readonly timestamp?: string;
}

interface SimilarMemory {
  readonly memory: { readonly id: string; readonly content: string };
  readonly exact: boolean;
  readonly may_contradict: boolean;
}

interface Party {
  readonly did: string;
  readonly name?: string;
  readonly display_name?: string;
}

/** Whose profile it is about stands in the item: a person may keep several. */
export const proposalQuery = ({ id: itemId, subject }: InboxItem) =>
  queryOptions({
    queryKey: ['memory', 'proposal', subject.id],
    queryFn: async ({ signal }): Promise<Proposal> => {
      const { details } = await client.call('inbox.get', { id: itemId }, { signal });
      const { about, proposed_by } = (details ?? {}) as { about?: Party; proposed_by?: Party };
      const asked = { id: subject.id, ...(about && { profile: about.did }) };
      const proposal = await client.call('memory.proposals.get', asked, { signal });
      return { ...(proposal as unknown as Proposal), about, proposedBy: proposed_by };
    },
  });
