import type { Reader } from '../../storage/database.ts';
import { selectEmptiedChains, selectTouchedChains, selectUnpairedChains } from '../chains/chain-store.ts';
import type { Faults } from './report.ts';

/** What no event shows, because the chain has none: that they are gone, or that the chain's own row was changed. */
export async function reportChainsWithoutEvents(reader: Reader, faults: Faults): Promise<void> {
  const report = (kind: string, message: string, chain: string) =>
    faults.add({ kind, message, chain, table: 'chains', key: chain });
  for (const { chain_id, next_sequence } of await selectEmptiedChains(reader)) {
    report('chain_cut', `The chain should have ${next_sequence} events, and has none.`, chain_id);
  }
  for (const { chain_id } of await selectTouchedChains(reader)) {
    report('chain_changed', 'The chain has no events, but is not as it was opened.', chain_id);
  }
  for (const { chain_id } of await selectUnpairedChains(reader)) {
    report('chain_changed', 'The chain does not belong to the session that it names.', chain_id);
  }
}
