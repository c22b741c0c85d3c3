import type { Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { CarpResolution } from '../schema/carp.ts';
import type { RecordedInput } from '../schema/inputs.ts';

/** Answers false where the session has used this request_id before. */
export async function claimRequest(
  uow: UnitOfWork,
  sessionId: string,
  requestId: string,
  now: Micros,
): Promise<boolean> {
  const inserted = await uow.run(
    'insert into governance_requests (session_id, request_id, received_us) values (?, ?, ?) on conflict do nothing',
    [sessionId, requestId.toLowerCase(), now],
  );
  return inserted === 1;
}

export interface StoredResolution {
  readonly body: CarpResolution;
  readonly expires: Micros;
}

export interface NewResolution {
  readonly projectId: string;
  readonly sessionId: string;
  readonly body: CarpResolution;
  readonly created: Micros;
  readonly expires: Micros;
  /** Null where the answer would not be the same a moment later. */
  readonly cacheKey: string | null;
}

export async function insertResolution(uow: UnitOfWork, resolution: NewResolution): Promise<void> {
  const { body } = resolution;
  await uow.run(
    `insert into governance_resolutions (resolution_id, project_id, session_id, request_id, body, created_us,
       expires_us, cache_key) values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      body.resolution_id,
      resolution.projectId,
      resolution.sessionId,
      body.request_id,
      JSON.stringify(body),
      resolution.created,
      resolution.expires,
      resolution.cacheKey,
    ],
  );
}

export async function selectResolution(
  reader: Reader,
  sessionId: string,
  resolutionId: string,
): Promise<StoredResolution | undefined> {
  const row = await reader.get<{ body: string; expires_us: number }>(
    'select body, expires_us from governance_resolutions where resolution_id = ? and session_id = ?',
    [resolutionId.toLowerCase(), sessionId],
  );
  return row && { body: JSON.parse(row.body), expires: row.expires_us };
}

/** One that is still worth a second or more. */
export async function selectCached(
  reader: Reader,
  sessionId: string,
  cacheKey: string,
  now: Micros,
): Promise<StoredResolution | undefined> {
  const row = await reader.get<{ body: string; expires_us: number }>(
    `select body, expires_us from governance_resolutions
     where session_id = ? and cache_key = ? and expires_us >= ? order by expires_us desc limit 1`,
    [sessionId, cacheKey, now + 1_000_000],
  );
  return row && { body: JSON.parse(row.body), expires: row.expires_us };
}

export async function insertInput(
  uow: UnitOfWork,
  projectId: string,
  input: RecordedInput & { readonly resolution_id: string },
  decided: Micros,
): Promise<void> {
  await uow.run(
    `insert into governance_inputs (session_id, request_id, resolution_id, project_id, decided_us, line)
     values (?, ?, ?, ?, ?, ?)`,
    [input.session_id, input.request_id, input.resolution_id, projectId, decided, JSON.stringify(input)],
  );
}

/** What a resolution was made from: the first request that got it. */
export async function selectResolutionInput(
  reader: Reader,
  resolutionId: string,
): Promise<RecordedInput | undefined> {
  const row = await reader.get<{ line: string }>(
    'select line from governance_inputs where resolution_id = ? order by decided_us limit 1',
    [resolutionId.toLowerCase()],
  );
  return row && JSON.parse(row.line);
}

export async function selectInputs(reader: Reader, sessionId: string): Promise<RecordedInput[]> {
  const rows = await reader.all<{ line: string }>(
    'select line from governance_inputs where session_id = ? order by decided_us, request_id',
    [sessionId],
  );
  return rows.map((row) => JSON.parse(row.line));
}
