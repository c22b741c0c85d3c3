import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface KnownTranscript {
  readonly digest: string;
  readonly packageId: string;
}

interface Key {
  readonly projectId: string;
  readonly client: string;
  readonly transcript: string;
}

export async function selectTranscript(reader: Reader, key: Key): Promise<KnownTranscript | undefined> {
  const row = await reader.get<{ digest: string; package_id: string }>(
    'select digest, package_id from agent_transcripts where project_id = ? and client = ? and transcript = ?',
    [key.projectId, key.client, key.transcript],
  );
  return row && { digest: row.digest, packageId: row.package_id };
}

export async function saveTranscript(uow: UnitOfWork, key: Key, known: KnownTranscript): Promise<void> {
  await uow.run(
    `insert into agent_transcripts (project_id, client, transcript, digest, package_id) values (?, ?, ?, ?, ?)
     on conflict (project_id, client, transcript) do update set
       digest = excluded.digest, package_id = excluded.package_id`,
    [key.projectId, key.client, key.transcript, known.digest, known.packageId],
  );
}
