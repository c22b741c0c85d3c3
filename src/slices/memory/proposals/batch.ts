/** One card of the inbox for several proposals: what an agent overheard its person say, decided one by one or at once. */
import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { effectiveSensitivity } from '../categories.ts';
import { saltedHash } from '../content.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { selectTexts } from '../text-store.ts';
import type { ProposalText } from './find.ts';
import { selectProposals, setItem } from './store.ts';

export const BATCH_KIND = 'memory_batch';

export interface BatchCard {
  readonly batchId: string;
  readonly requestedBy: Actor;
  readonly requestedFor: Actor;
}

/**
 * Opens the card for what waits of a batch, in place of the one before. Where nothing waits any more, the open card
 * closes.
 */
export async function showBatch(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  { batchId, requestedBy, requestedFor }: BatchCard,
): Promise<void> {
  const { clock, hasher, inbox } = deps;
  const now = clock.now();
  const waiting = await selectProposals(uow, profile.did, { batchId, statuses: ['pending'], now });
  const about = batchSubject(profile, batchId);
  if (waiting.length === 0) {
    await inbox.supersedeSubject(uow, { ...about, by: requestedBy, reason: 'nothing_waits' });
    return;
  }
  const ids = waiting.map(({ proposal_id }) => proposal_id);
  const texts = await selectTexts(uow, profile.did, ids);
  const rules = await sensitivityRules(uow, profile);
  const levels = waiting.map(({ proposal_id, category }) => {
    const { sensitivity } = JSON.parse(texts.get(proposal_id)?.body ?? '{}') as Partial<ProposalText>;
    return effectiveSensitivity({ category: category ?? undefined, sensitivity }, rules);
  });
  const shown = waiting.map((row) => {
    const { salt = '', body = '' } = texts.get(row.proposal_id) ?? {};
    return {
      proposal_id: row.proposal_id,
      text_hash: saltedHash(hasher, salt, body),
      expires_at: row.expires_at,
    };
  });
  const item = await inbox.openItem(uow, {
    ...about,
    requestedBy,
    requestedFor,
    deciders: [profile.ownerActor, ...(profile.settings.delegates ?? [])],
    ownerDecides: true,
    personal: true,
    digest: formatDigest(digestOf(hasher, 'jcs', { proposals: shown })),
    rule: 'memory-needs-approval',
    title: `${requestedFor.id} heard ${counted(waiting.length)} that may be worth remembering (${batchId})`,
    risk: levels.some((level) => level === 'sensitive' || level === 'restricted') ? 'medium' : 'low',
    expires: Math.max(...waiting.map(({ expires_us }) => expires_us)),
    edits: true,
  });
  for (const id of ids) await setItem(uow, id, item.itemId);
}

export function batchSubject({ projectId }: Profile, batchId: string) {
  return { projectId, kind: BATCH_KIND, subject: { type: BATCH_KIND, id: batchId } };
}

function counted(number: number): string {
  return number === 1 ? 'one thing' : `${number} things`;
}
