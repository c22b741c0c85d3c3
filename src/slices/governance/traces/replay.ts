import { readJson } from '../../../kernel/json/reader.ts';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import type { Task } from '../../../platform/bounded-work/bounded-work.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { type WireEvent, wireEventOf, wireLineOf } from '../../../spine/journal/events/stored-event.ts';
import type { Atlas } from '../atlases/rules/atlas.ts';
import { selectSessionCalls } from '../impact/call-store.ts';
import type { GovernanceDeps } from '../ports.ts';
import { selectInputs } from '../resolution/store.ts';
import { callOf } from '../sealed.ts';
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

export async function recordedCallLines(
  { db, payloads }: GovernanceDeps,
  sessionId: string,
): Promise<string[]> {
  const rows = await db.read((reader) => selectSessionCalls(reader, sessionId));
  return rows.map(({ line, callId }) => payloads.open(line, callOf(callId)));
}

/** Decides every request of a session again, with the Atlases of that time. */
export async function replaySession(deps: GovernanceDeps, sessionId: string): Promise<Replay> {
  const inputs = await recordedInputs(deps, sessionId);
  const atlases = new Map<string, Atlas>();
  for (const digest of new Set(inputs.flatMap(({ atlases }) => atlases.map((each) => each.digest)))) {
    const atlas = await deps.db.read((reader) => deps.sets.find(reader, digest));
    if (atlas) atlases.set(digest, atlas);
  }
  const events: string[] = [];
  for await (const row of traceRows(deps, sessionId)) events.push(wireLineOf(row));
  const recorded = { events, inputs: inputs.map((input) => JSON.stringify(input)), atlases };
  return events.length <= FEW_EVENTS && atlases.size <= 1
    ? replayTask.run(recorded)
    : deps.work.run(replayTask, recorded);
}

const FEW_EVENTS = 50;

interface RecordedSession {
  /** Events and inputs as lines of JSON. */
  readonly events: readonly string[];
  readonly inputs: readonly string[];
  readonly atlases: ReadonlyMap<string, Atlas>;
}

export const replayTask: Task<RecordedSession, Replay> = {
  name: 'governance.replay',
  run: ({ events, inputs, atlases }) =>
    replayTrace(
      events.map((line) => readJson(line) as unknown as WireEvent),
      inputs.map((line) => JSON.parse(line) as RecordedInput),
      (digest) => atlases.get(digest),
      nodeHasher,
    ),
};

async function eventsOf(deps: GovernanceDeps, sessionId: string): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const row of traceRows(deps, sessionId)) events.push(wireEventOf(row));
  return events;
}
