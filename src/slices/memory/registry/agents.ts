import { formatMillis } from '../../../kernel/instant.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { liveKeys, rotateKey } from './rules.ts';
import { type AgentDocument, putAgent, selectAgent } from './store.ts';

export interface NewAgent extends AgentDocument {
  readonly did: string;
  /** Replaces the keys before it at once; without one, or with one that is held already, they stay. */
  readonly publicKey: string | undefined;
}

/** Registers the agent, or replaces what is known of it; only the project that registered it first may. */
export async function registerAgent(
  uow: UnitOfWork,
  { clock }: MemoryDeps,
  projectId: string,
  { did, publicKey, ...document }: NewAgent,
): Promise<void> {
  requireDid(did, '/did');
  const now = clock.now();
  const known = await selectAgent(uow, did);
  const held = known?.projectId === projectId ? known.keys : [];
  const holds = liveKeys(held, now).some((key) => key.publicKeyMultibase === publicKey);
  const keys =
    publicKey === undefined || holds ? held : rotateKey(held, publicKey, { now, overlapSeconds: 0 });
  const registered = await putAgent(uow, { ...document, did, projectId, keys, createdAt: formatMillis(now) });
  if (!registered) throw memoryErrors.A2P002({ message: 'Another project has registered this agent.' });
}
