import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import { type WireEvent, wireEventOf, wireLineOf } from '../../../spine/journal/events/stored-event.ts';
import type { Atlas } from '../atlases/rules/atlas.ts';
import type { GovernanceDeps } from '../ports.ts';
import { selectInputs } from '../resolution/store.ts';
import { traceRows } from './read.ts';
import { type Replay, replayTrace } from './rules/replay.ts';
import { reconstructState, type SessionState } from './rules/state.ts';
import type { RecordedInput, TraceVerification } from './schema.ts';

export async function verifyTrace(deps: GovernanceDeps, sessionId: string): Promise<TraceVerification> {
  const verifier = createChainVerifier(deps.hasher, { kind: 'trace', acceptPruned: true });
  for await (const row of traceRows(deps, sessionId)) verifier.push(wireLineOf(row));
  const { valid, event_count, ended, errors } = verifier.finish();
  return {
    valid,
    event_count,
    ended,
    errors: errors.map(({ index, sequence, error, details }) => ({ index, sequence, error, details })),
  };
}

export async function sessionState(deps: GovernanceDeps, sessionId: string): Promise<SessionState> {
  return reconstructState(await eventsOf(deps, sessionId));
}

export function recordedInputs(
  { db, payloads }: GovernanceDeps,
  sessionId: string,
): Promise<RecordedInput[]> {
  return db.read((reader) => selectInputs(reader, payloads, sessionId));
}

/** Decides every request of a session again, with the Atlases of that time. */
export async function replaySession(deps: GovernanceDeps, sessionId: string): Promise<Replay> {
  const inputs = await recordedInputs(deps, sessionId);
  const known = new Map<string, Atlas>();
  for (const digest of new Set(inputs.flatMap(({ atlases }) => atlases.map((each) => each.digest)))) {
    const atlas = await deps.db.read((reader) => deps.sets.find(reader, digest));
    if (atlas) known.set(digest, atlas);
  }
  const events = await eventsOf(deps, sessionId);
  return replayTrace(events, inputs, (digest) => known.get(digest), deps.hasher);
}

async function eventsOf(deps: GovernanceDeps, sessionId: string): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const row of traceRows(deps, sessionId)) events.push(wireEventOf(row));
  return events;
}
