import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { PassphraseHash } from './passphrase.ts';

export async function selectPassphrase(reader: Reader, actorId: string): Promise<PassphraseHash | undefined> {
  return reader.get<PassphraseHash>('select salt, hash, cost from passphrases where actor_id = ?', [actorId]);
}

/** Answers false where another passphrase than the expected one (or none) is stored by now. */
export async function replacePassphrase(
  uow: UnitOfWork,
  actorId: string,
  expected: PassphraseHash | undefined,
  next: PassphraseHash,
  now: number,
): Promise<boolean> {
  const changed = expected
    ? await uow.run(
        'update passphrases set salt = ?, hash = ?, cost = ?, set_us = ? where actor_id = ? and hash = ?',
        [next.salt, next.hash, next.cost, now, actorId, expected.hash],
      )
    : await uow.run(
        'insert into passphrases (actor_id, salt, hash, cost, set_us) values (?, ?, ?, ?, ?) on conflict do nothing',
        [actorId, next.salt, next.hash, next.cost, now],
      );
  return changed === 1;
}
