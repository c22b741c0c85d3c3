import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { asRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { grantsScope } from '../../../spine/identity/scopes.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import { isGoverned } from '../peers/rules.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import { cardDiff } from './card-diff.ts';
import {
  type CardRow,
  decideCard,
  insertCard,
  pruneCards,
  selectCardOfItem,
  selectCards,
  supersedeWaiting,
} from './store.ts';

export const CARD_KIND = 'agent_card';

export interface Catalogue {
  /**
   * Keeps what a peer shows as its card, and answers the one in force: of a governed peer the last that was accepted. Its
   * first is accepted with its registration; each change then waits for a person, and the old card stays in force.
   */
  saw(peer: Peer, card: LooseRecord): Promise<LooseRecord>;
  /** The card in force, where the peer shows none at the moment. */
  inForce(peer: Peer): Promise<LooseRecord | undefined>;
  readonly effect: InboxEffect;
}

export type CatalogueDeps = Pick<RelayDeps, 'db' | 'clock' | 'hasher' | 'inbox' | 'record'>;

const RELAY: Actor = { id: 'relay', type: 'script' };

/** `onDecided` is told of the peer whose card in force is another one now. */
export function createCatalogue(
  deps: CatalogueDeps,
  onDecided: (peer: { readonly projectId: string; readonly id: string }) => void,
): Catalogue {
  const { db, clock, hasher, inbox, record } = deps;
  const cardDigest = (card: LooseRecord) => formatDigest(digestOf(hasher, 'jcs', fromPlain(card)));
  const subjectOf = ({ projectId, id }: Pick<Peer, 'projectId' | 'id'>) => ({
    projectId,
    kind: CARD_KIND,
    subject: { type: 'peer', id },
  });

  async function keep(uow: UnitOfWork, peer: Peer, card: LooseRecord, digest: string): Promise<LooseRecord> {
    const { projectId, id } = peer;
    await uow.lock(`relay:card:${projectId}:${id}`);
    const known = await selectCards(uow, projectId, id);
    const accepted = known.find(({ state }) => state === 'accepted');
    const step = stepOf(known, digest, isGoverned(peer));
    if (step === 'nothing') return accepted ? readCard(accepted) : card;
    if (await supersedeWaiting(uow, projectId, id))
      await inbox.supersedeSubject(uow, { ...subjectOf(peer), by: RELAY, reason: 'shown_anew' });
    if (step === 'withdraw') return accepted ? readCard(accepted) : card;
    const row: CardRow = {
      project_id: projectId,
      peer_id: id,
      number: (known[0]?.number ?? 0) + 1,
      digest,
      card: JSON.stringify(card),
      state: step === 'ask' ? 'waiting' : 'accepted',
      item_id: step === 'ask' ? await ask(uow, peer, digest) : null,
      seen_us: clock.now(),
    };
    await insertCard(uow, row);
    await pruneCards(uow, projectId, id);
    await record(uow, {
      projectId,
      actor: RELAY,
      type: 'peer.card_seen',
      payload: { peer_id: id, number: row.number, digest, state: row.state },
    });
    return step === 'ask' && accepted ? readCard(accepted) : card;
  }

  async function ask(uow: UnitOfWork, { projectId, id }: Peer, digest: string): Promise<string> {
    const { itemId } = await inbox.openItem(uow, {
      ...subjectOf({ projectId, id }),
      requestedBy: RELAY,
      digest,
      rule: 'governed-card',
      title: `The agent ${id} shows another card`,
      risk: 'medium',
      edits: false,
    });
    return itemId;
  }

  return {
    async saw(peer, card) {
      const digest = cardDigest(card);
      const known = await db.read((reader) => selectCards(reader, peer.projectId, peer.id));
      const accepted = known.find(({ state }) => state === 'accepted');
      if (stepOf(known, digest, isGoverned(peer)) === 'nothing' && accepted) return readCard(accepted);
      return db.write((uow) => keep(uow, peer, card, digest));
    },
    async inForce({ projectId, id }) {
      const known = await db.read((reader) => selectCards(reader, projectId, id));
      const accepted = known.find(({ state }) => state === 'accepted');
      return accepted && readCard(accepted);
    },
    effect: {
      apply: 'rows',
      async refuses(_reader, _item, principal) {
        if (grantsScope(principal.scopes, 'relay:manage')) return undefined;
        return identityErrors.forbidden({
          message: 'To accept the card of an agent takes the scope relay:manage.',
          details: { scope: 'relay:manage' },
        });
      },
      async run(uow, item, made) {
        const asked = await selectCardOfItem(uow, item.itemId);
        const state = made.decision === 'reject' ? 'refused' : 'accepted';
        if (!asked || (await decideCard(uow, item.itemId, state)) === 0) throw relayErrors.card_outdated();
        uow.afterCommit(() => onDecided({ projectId: asked.project_id, id: asked.peer_id }));
      },
      async describe(reader, item) {
        const asked = await selectCardOfItem(reader, item.itemId);
        if (!asked) return undefined;
        const known = await selectCards(reader, asked.project_id, asked.peer_id);
        const before = known.find(({ state, number }) => state === 'accepted' && number < asked.number);
        const diff = cardDiff(before ? readCard(before) : {}, readCard(asked));
        return fromPlain({ peer_id: asked.peer_id, number: asked.number, ...diff }) as JsonObject;
      },
    },
  };
}

/** What a card that is shown calls for, by what was shown before; the newest first. */
function stepOf(
  known: readonly CardRow[],
  digest: string,
  governed: boolean,
): 'nothing' | 'accept' | 'ask' | 'withdraw' {
  const accepted = known.find(({ state }) => state === 'accepted');
  const waiting = known.find(({ state }) => state === 'waiting');
  if (accepted?.digest === digest) return waiting ? 'withdraw' : 'nothing';
  if (!accepted || !governed) return 'accept';
  if (waiting?.digest === digest) return 'nothing';
  // Who was refused once is not asked about again.
  if (known.some((one) => one.digest === digest && one.state === 'refused'))
    return waiting ? 'withdraw' : 'nothing';
  return 'ask';
}

export function readCard({ card }: CardRow): LooseRecord {
  return asRecord(JSON.parse(card));
}
