import { isJsonObject } from '../../kernel/json/value.ts';
import { listOf, type Provenance, source, thing } from '../../spine/journal/provenance.ts';
import { selectHolders } from './memories/store.ts';

const KNOWN_SHOWN = 50;

const DONE: Readonly<Record<string, string>> = {
  'memory.created': 'kept',
  'memory.updated': 'changed',
  'memory.deleted': 'deleted',
  'memory.erased': 'erased',
  'memory.proposed': 'proposed',
  'memory.proposal_approved': 'approved',
  'memory.proposal_rejected': 'rejected',
  'memory.proposal_expired': 'expired',
  'memory.proposal_withdrawn': 'withdrawn',
};

/** Names memories by id only: their content belongs to their person. */
export const memoryProvenance: Provenance = {
  account({ event_type, payload }) {
    if (event_type === 'memory.read') {
      const memories = listOf(payload.memories);
      return {
        words: `was handed ${memories.length} memories with consent ${payload.receipt_id}`,
        about: [],
        from: memories
          .slice(0, KNOWN_SHOWN)
          .flatMap((read) => source('knew', 'memory', isJsonObject(read) ? read.id : undefined)),
        reading: true,
      };
    }
    const words = DONE[event_type];
    if (words === undefined) return undefined;
    const kept = thing('memory', payload.memoryId);
    return {
      words,
      about: kept.length > 0 ? kept : thing('memory_proposal', payload.proposalId),
      from: kept.length > 0 ? source('proposal', 'memory_proposal', payload.proposalId) : [],
    };
  },

  /** By their digests alone, whoever asks: a file that is handed on cannot be erased. */
  async rows(reader, { projectId, thing: { kind, id } }) {
    if (kind === 'memory_proposal') return [{ table: 'memory_proposals', key: [id], shown: false }];
    if (kind !== 'memory') return [];
    const dids = await selectHolders(reader, projectId, id);
    return dids.flatMap((did) => [
      { table: 'memory_items', key: [did, id], shown: false },
      { table: 'memory_texts', key: [did, id], shown: false },
    ]);
  },
};
