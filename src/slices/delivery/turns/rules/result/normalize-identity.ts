import type { Repair } from './normalize.ts';

/** Ids that the turn itself settles: whoever names the active turn means the active run. */
export const repairIdentity: Repair = (draft, { state, turn }, note) => {
  if (turn === undefined || draft.turn_id !== turn.turn_id) return;
  if (state.run_id !== null && draft.run_id !== state.run_id) {
    draft.run_id = state.run_id;
    note('run_id was taken from the active run.');
  }
  if (draft.runtime_id === undefined || draft.runtime_id === null) {
    draft.runtime_id = turn.runtime_id;
    note('runtime_id was taken from the assignment.');
  }
};
