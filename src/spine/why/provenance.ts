import { WHY_EVENT } from '../../kernel/why-proof.ts';
import { type Provenance, source, thing } from '../journal/provenance.ts';

/** A proved explanation can itself be explained. */
export const whyProvenance: Provenance = {
  account({ event_type, payload }) {
    if (event_type !== WHY_EVENT) return undefined;
    return {
      words: 'an explanation was given',
      about: thing('explanation', payload.chain_digest),
      from: source('subject', String(payload.subject_kind), payload.subject_id),
    };
  },
};
