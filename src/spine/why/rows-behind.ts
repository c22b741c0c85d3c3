import type { Principal } from '../identity/principal.ts';
import type { Provenance } from '../journal/provenance.ts';
import type { WantedRow } from '../journal/state/row-evidence.ts';
import type { Reader } from '../storage/database.ts';
import type { Explanation } from './schema.ts';

/** The rows that an explanation rests on: those that hold its things, and those in which the words of its steps are kept. */
export async function rowsBehind(
  reader: Reader,
  provenances: readonly Provenance[],
  principal: Principal,
  { project_id: projectId, nodes }: Explanation,
): Promise<WantedRow[]> {
  const wanted: WantedRow[] = [];
  for (const { kind, id, steps } of nodes) {
    for (const provenance of provenances) {
      const held = (await provenance.rows?.(reader, { principal, projectId, thing: { kind, id } })) ?? [];
      wanted.push(...held.map((row) => ({ ...row, of: `${kind} ${id}` })));
    }
    // Accounts are ids and states, and the explanation says the same.
    for (const { leaf, type } of steps) {
      wanted.push({ table: 'why_accounts', key: [leaf], shown: true, of: `${type} of ${kind} ${id}` });
    }
  }
  return wanted;
}
