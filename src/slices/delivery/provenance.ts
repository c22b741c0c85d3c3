import { type Provenance, source, thing } from '../../spine/journal/provenance.ts';

/** Events of a governed run, as the mirror records them: each names its repository and run. */
export const deliveryProvenance: Provenance = {
  account({ event_type, payload }) {
    if (typeof payload.repository_id !== 'string' || typeof payload.run_id !== 'string') return undefined;
    const turn = thing('turn', payload.turn_id);
    const where = payload.phase === null ? '' : ` in ${payload.phase}`;
    // The inbox names a run by its repository too, since two repositories may have runs with the same id.
    const run = `${payload.repository_id}/${payload.run_id}`;
    return {
      words: `${event_type.replace('.', ' ')}${where}`,
      about: turn.length > 0 ? turn : [...thing('run', run), ...thing('run', payload.run_id)],
      from: source('run', 'run', run),
    };
  },
};
