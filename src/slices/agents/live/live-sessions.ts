import { selectSession } from '../../../spine/identity/sessions/session-store.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectFiles } from '../capture/store.ts';
import { selectLive } from './store.ts';

export interface LiveSession {
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly callsign: string | null;
  readonly agentId: string;
  readonly client: string;
  readonly root: string;
  readonly started: number;
  readonly last: number;
  /** The last touched first. */
  readonly files: readonly string[];
}

/** A client says nothing while it waits for its person; after this long it counts as gone. */
const LIVE_MICROS = 30 * 60 * 1_000_000;
const FILES = 20;

/** Who works in a project now, whoever was heard of last first. */
export async function liveSessions(
  reader: Reader,
  now: number,
  projectId: string,
  limit: number,
): Promise<LiveSession[]> {
  const found: LiveSession[] = [];
  for (const each of await selectLive(reader, projectId, now - LIVE_MICROS, limit)) {
    const session = await selectSession(reader, each.sessionId);
    if (session?.status !== 'active') continue;
    found.push({
      sessionId: each.sessionId,
      parentSessionId: each.parentSessionId,
      callsign: session.callsign,
      agentId: session.agentId ?? session.actor.id,
      client: each.client,
      root: each.root,
      started: each.startedMicros,
      last: each.lastMicros,
      files: await selectFiles(reader, each.sessionId, FILES),
    });
  }
  return found;
}
