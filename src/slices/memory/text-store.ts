/** The only place that stores what people and agents said: memories, proposals and profile documents, each with a salt. */
import type { Reader, UnitOfWork } from '../../spine/storage/database.ts';

export interface StoredText {
  readonly ref: string;
  readonly salt: string;
  readonly body: string;
}

export async function putText(uow: UnitOfWork, did: string, text: StoredText): Promise<void> {
  await uow.run(
    `insert into memory_texts (profile_did, ref, salt, body) values (?, ?, ?, ?)
     on conflict (profile_did, ref) do update set salt = excluded.salt, body = excluded.body`,
    [did, text.ref, text.salt, text.body],
  );
}

export async function selectText(reader: Reader, did: string, ref: string): Promise<StoredText | undefined> {
  return reader.get<StoredText>(
    'select ref, salt, body from memory_texts where profile_did = ? and ref = ?',
    [did, ref],
  );
}

const AT_ONCE = 500;

export async function selectTexts(
  reader: Reader,
  did: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, StoredText>> {
  const found = new Map<string, StoredText>();
  for (let at = 0; at < refs.length; at += AT_ONCE) {
    const some = refs.slice(at, at + AT_ONCE);
    const rows = await reader.all<StoredText>(
      `select ref, salt, body from memory_texts where profile_did = ? and ref in (${some.map(() => '?').join(', ')})`,
      [did, ...some],
    );
    for (const row of rows) found.set(row.ref, row);
  }
  return found;
}

export async function deleteText(uow: UnitOfWork, did: string, ref: string): Promise<boolean> {
  return (await uow.run('delete from memory_texts where profile_did = ? and ref = ?', [did, ref])) === 1;
}
