import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

/** `superseded`: it waited, and then the agent showed another one, or the one in force again. */
export type CardState = 'accepted' | 'waiting' | 'refused' | 'superseded';

/** A card that a peer has shown. The one in force is the accepted one with the highest number. */
export interface CardRow {
  readonly project_id: string;
  readonly peer_id: string;
  readonly number: number;
  readonly digest: string;
  readonly card: string;
  readonly state: CardState;
  readonly item_id: string | null;
  readonly seen_us: Micros;
}

/** Of each peer. */
export const MOST_CARDS = 50;

export async function insertCard(uow: UnitOfWork, row: CardRow): Promise<void> {
  await uow.run(
    `insert into relay_cards (project_id, peer_id, number, digest, card, state, item_id, seen_us)
      values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.project_id, row.peer_id, row.number, row.digest, row.card, row.state, row.item_id, row.seen_us],
  );
}

/** What an item in the inbox asks about, or nothing where something else has decided it. */
export function decideCard(uow: UnitOfWork, itemId: string, state: 'accepted' | 'refused'): Promise<number> {
  return uow.run(`update relay_cards set state = ? where item_id = ? and state = 'waiting'`, [state, itemId]);
}

export function supersedeWaiting(uow: UnitOfWork, projectId: string, peerId: string): Promise<number> {
  return uow.run(
    `update relay_cards set state = 'superseded' where project_id = ? and peer_id = ? and state = 'waiting'`,
    [projectId, peerId],
  );
}

/** The oldest, as far as they are more than are kept; never the one in force. */
export async function pruneCards(uow: UnitOfWork, projectId: string, peerId: string): Promise<void> {
  const cards = await selectCards(uow, projectId, peerId);
  const inForce = cards.find(({ state }) => state === 'accepted');
  for (const { number } of cards.slice(MOST_CARDS)) {
    if (number === inForce?.number) continue;
    await uow.run('delete from relay_cards where project_id = ? and peer_id = ? and number = ?', [
      projectId,
      peerId,
      number,
    ]);
  }
}

/** The newest first. */
export function selectCards(reader: Reader, projectId: string, peerId: string): Promise<CardRow[]> {
  return reader.all<CardRow>(
    'select * from relay_cards where project_id = ? and peer_id = ? order by number desc',
    [projectId, peerId],
  );
}

export function selectCardOfItem(reader: Reader, itemId: string): Promise<CardRow | undefined> {
  return reader.get<CardRow>('select * from relay_cards where item_id = ?', [itemId]);
}

/** Of every peer that is registered: the card in force, and whatever waits for a decision. */
export function selectCardsShown(reader: Reader, projectId: string): Promise<CardRow[]> {
  return reader.all<CardRow>(
    `select c.* from relay_cards c where c.project_id = ? and (c.state = 'waiting' or c.number =
        (select max(number) from relay_cards where project_id = c.project_id and peer_id = c.peer_id and state = 'accepted'))
      order by c.peer_id, c.number`,
    [projectId],
  );
}
