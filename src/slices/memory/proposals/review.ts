import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { sanitizeText } from '../memory-text.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { putText, selectText } from '../text-store.ts';
import { readEdits } from './approve.ts';
import { moveProposal } from './rules.ts';
import { type ProposalRow, selectProposal } from './store.ts';

export interface Said {
  readonly action: 'approve' | 'reject';
  readonly edits?: Readonly<Record<string, unknown>>;
  readonly reason?: string | undefined;
}

/** The protocol's own way to decide: it ends in the same inbox as every other decision. */
export async function decideProposal(
  { clock, inbox }: MemoryDeps,
  uow: UnitOfWork,
  profile: Profile,
  principal: Principal,
  proposalId: string,
  said: Said,
): Promise<ProposalRow> {
  const row = await selectProposal(uow, proposalId);
  if (row?.profile_did !== profile.did) throw memoryErrors.A2P003({ message: 'There is no such proposal.' });
  const edits = Object.entries(said.edits ?? {}).filter(([, value]) => value !== undefined);
  const edited = said.action === 'approve' && edits.length > 0;
  moveProposal(
    row.status,
    row.expires_us,
    said.action === 'reject' ? 'reject' : edited ? 'edit' : 'approve',
    clock.now(),
  );
  if (edited) readEdits(Object.fromEntries(edits));
  const item = row.item_id === null ? undefined : await inbox.get(uow, row.item_id);
  if (!item) throw memoryErrors.proposal_closed({ details: { status: row.status } });
  if (said.reason !== undefined) {
    const text = await selectText(uow, profile.did, proposalId);
    const body = { ...JSON.parse(text?.body ?? '{}'), reason: sanitizeText(said.reason) };
    if (text) await putText(uow, profile.did, { ...text, body: JSON.stringify(body) });
  }
  await inbox.decide(uow, {
    itemId: item.itemId,
    decision: said.action === 'reject' ? 'reject' : edited ? 'approve_with_edits' : 'approve',
    digest: item.digest,
    principal,
    ...(edited && { edits: fromPlain(Object.fromEntries(edits)) }),
  });
  return (await selectProposal(uow, proposalId)) as ProposalRow;
}
