import type { Hasher } from '../../../kernel/hasher.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import type { Journal } from '../journal.ts';
import type { ChainRef } from './chain.ts';
import { findChain } from './chain-store.ts';

/**
 * The ledger on which the journal records what it does itself in a project. It is no session's, never ends, and is
 * therefore never pruned. Its id follows from what it is for, so that it is found without a table.
 */
export async function systemChain(
  uow: UnitOfWork,
  { journal, hasher }: { readonly journal: Journal; readonly hasher: Hasher },
  purpose: string,
  projectId: string,
): Promise<ChainRef> {
  const chainId = uuidOf(hasher.hex(`baton/${purpose}\n${projectId}`));
  const ref: ChainRef = { sessionId: chainId, kind: 'ledger' };
  if (!(await findChain(uow, ref))) await journal.openSystemChain(uow, { chainId, projectId });
  return ref;
}

/** RFC 9562's version 8: an id made by a rule of our own. */
function uuidOf(hex: string): string {
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-8${c}-8${d}-${hex.slice(20, 32)}`;
}
