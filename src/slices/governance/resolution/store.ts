import type { Micros } from '../../../kernel/clock.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { inputOf as sealedInputOf } from '../sealed.ts';
import type { RecordedInput } from '../traces/schema.ts';
import type { CarpResolution } from './schema.ts';

/** Returns false if the session has used this request_id before. */
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
  /** Null if the answer could be different a moment later. */
  readonly cacheKey: string | null;
}

export async function insertResolution(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  resolution: NewResolution,
): Promise<void> {
  const { body } = resolution;
  await uow.run(
    `insert into governance_resolutions (resolution_id, project_id, session_id, request_id, body, created_us,
       expires_us, cache_key) values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      body.resolution_id,
      resolution.projectId,
      resolution.sessionId,
      body.request_id,
      payloads.seal(JSON.stringify(body), body.resolution_id),
      resolution.created,
      resolution.expires,
      resolution.cacheKey,
    ],
  );
}

interface ResolutionRow {
  readonly resolution_id: string;
  readonly body: string;
  readonly expires_us: number;
}

function resolutionOf(row: ResolutionRow, payloads: PayloadCodec): StoredResolution {
  return { body: JSON.parse(payloads.open(row.body, row.resolution_id)), expires: row.expires_us };
}

export async function selectResolution(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
  resolutionId: string,
): Promise<StoredResolution | undefined> {
  const row = await reader.get<ResolutionRow>(
    'select resolution_id, body, expires_us from governance_resolutions where resolution_id = ? and session_id = ?',
    [resolutionId.toLowerCase(), sessionId],
  );
  return row && resolutionOf(row, payloads);
}

/** One that is valid for at least another second. */
export async function selectCached(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
  cacheKey: string,
  now: Micros,
): Promise<StoredResolution | undefined> {
  const row = await reader.get<ResolutionRow>(
    `select resolution_id, body, expires_us from governance_resolutions
     where session_id = ? and cache_key = ? and expires_us >= ? order by expires_us desc limit 1`,
    [sessionId, cacheKey, now + 1_000_000],
  );
  return row && resolutionOf(row, payloads);
}

export async function insertInput(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  projectId: string,
  input: RecordedInput & { readonly resolution_id: string },
  decided: Micros,
): Promise<void> {
  await uow.run(
    `insert into governance_inputs (session_id, request_id, resolution_id, project_id, decided_us, line)
     values (?, ?, ?, ?, ?, ?)`,
    [
      input.session_id,
      input.request_id,
      input.resolution_id,
      projectId,
      decided,
      payloads.seal(JSON.stringify(input), sealedInputOf(input.session_id, input.request_id)),
    ],
  );
}

interface InputRow {
  readonly session_id: string;
  readonly request_id: string;
  readonly line: string;
}

function inputOf(row: InputRow, payloads: PayloadCodec): RecordedInput {
  return JSON.parse(payloads.open(row.line, sealedInputOf(row.session_id, row.request_id)));
}

/** The input that a resolution was made from: of the first request that got it. */
export async function selectResolutionInput(
  reader: Reader,
  payloads: PayloadCodec,
  resolutionId: string,
): Promise<RecordedInput | undefined> {
  const row = await reader.get<InputRow>(
    `select session_id, request_id, line from governance_inputs where resolution_id = ?
     order by decided_us limit 1`,
    [resolutionId.toLowerCase()],
  );
  return row && inputOf(row, payloads);
}

export async function selectInputs(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
): Promise<RecordedInput[]> {
  const rows = await reader.all<InputRow>(
    `select session_id, request_id, line from governance_inputs where session_id = ?
     order by decided_us, request_id`,
    [sessionId],
  );
  return rows.map((row) => inputOf(row, payloads));
}

/** Inputs of a project in the order of their decisions, after a place, still sealed. */
export async function selectInputRows(
  reader: Reader,
  { projectId, from, to }: { readonly projectId: string; readonly from: Micros; readonly to: Micros },
  after: { readonly decided: Micros; readonly id: string } | undefined,
  limit: number,
): Promise<SealedInput[]> {
  const start = after ?? { decided: from - 1, id: '' };
  const rows = await reader.all<InputRow & { readonly decided_us: number }>(
    `select session_id, request_id, decided_us, line from governance_inputs
     where project_id = ? and decided_us >= ? and decided_us < ?
       and (decided_us > ? or (decided_us = ? and request_id > ?))
     order by decided_us, request_id limit ?`,
    [projectId, from, to, start.decided, start.decided, start.id, limit],
  );
  return rows.map((row) => ({
    sessionId: row.session_id,
    requestId: row.request_id,
    id: row.request_id,
    decided: row.decided_us,
    line: row.line,
  }));
}

export interface SealedInput {
  readonly sessionId: string;
  readonly requestId: string;
  /** Orders those of one instant. */
  readonly id: string;
  readonly decided: Micros;
  readonly line: string;
}

/** Whose session a resolution was given in. */
export async function selectResolutionSession(
  reader: Reader,
  projectId: string,
  resolutionId: string,
): Promise<string | undefined> {
  const row = await reader.get<{ session_id: string }>(
    'select session_id from governance_resolutions where resolution_id = ? and project_id = ?',
    [resolutionId, projectId],
  );
  return row?.session_id;
}
