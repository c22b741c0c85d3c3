import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { list, maybe, maybeText, number, shape, text } from '../../api/shape.ts';
import type { InboxItem } from '../queries.ts';

const readBatch = shape({
  about: maybe(shape({ did: text, display_name: maybeText })),
  proposed_by: maybe(shape({ did: text, name: maybeText })),
  proposals: list(
    shape({
      proposal_id: text,
      content: text,
      memory_type: text,
      category: maybeText,
      confidence: number,
      sensitivity: shape({ effective: text }),
      session_id: maybeText,
      evidence: list(shape({ quote: maybeText, timestamp: maybeText })),
      known: list(shape({ memory_id: text, content: text, relation: text, draft: maybeText })),
    }),
  ),
});

export type Batch = ReturnType<typeof readBatch>;
export type BatchProposal = Batch['proposals'][number];

/** What waits on one card, with what is known beside each. */
export const batchQuery = ({ id }: InboxItem) =>
  queryOptions({
    queryKey: ['memory', 'batch', id],
    queryFn: async ({ signal }): Promise<Batch> => {
      const { details } = await client.call('inbox.get', { id }, { signal });
      return readBatch(details ?? { proposals: [] });
    },
  });
