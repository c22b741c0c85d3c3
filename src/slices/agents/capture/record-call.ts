import type { JsonObject } from '../../../kernel/json/value.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { markRan } from '../calls/store.ts';
import type { ToolCall, ToolResult } from '../clients/event.ts';
import type { Step } from '../clients/steps.ts';
import type { OpenSession } from '../live/open-session.ts';
import type { AgentsPorts } from '../ports.ts';
import { outcomeOf } from './outcomes.ts';
import { completeActivity, insertActivity, touchFile } from './store.ts';

const MOST_FILES = 50;

/** A call that ran: what it did, and which files it touched. Told twice, it is recorded once. */
export async function recordCall(
  uow: UnitOfWork,
  deps: AgentsPorts,
  { session }: OpenSession,
  given: {
    readonly call: ToolCall;
    /** By which the judgement before it knew the call. */
    readonly callKey: string;
    readonly steps: readonly Step[];
    readonly result: ToolResult;
  },
): Promise<void> {
  const { call, callKey, steps, result } = given;
  const { sessionId, projectId } = session;
  const atMicros = deps.clock.now();
  if ((await markRan(uow, sessionId, callKey)) > 0) {
    const payload = { call: callKey, tool: call.tool.slice(0, 200), person_proven: false };
    await append(uow, deps, session, 'call.answered_in_client', payload);
  }
  const outcome = outcomeOf(call, steps, result);
  if (!outcome) return;
  // Without an id, the same call again is another one.
  const activityKey = call.id === undefined ? `${callKey} ${atMicros}` : callKey;
  const activity = {
    sessionId,
    callKey: activityKey,
    kind: outcome.kind,
    atMicros,
    text: deps.redact(outcome.text),
    ok: outcome.ok,
    detail: outcome.detail === null ? null : deps.redact(outcome.detail),
    spanId: null,
  };
  if (!(await insertActivity(uow, activity))) {
    // Codex tells of a call without saying how it ended.
    if (activity.ok !== null) await completeActivity(uow, activity);
    return;
  }
  for (const path of new Set(outcome.touched.slice(0, MOST_FILES))) {
    await touchFile(uow, { sessionId, projectId, path, atMicros });
    if (outcome.kind === 'command') await noteFile(uow, sessionId, activityKey, path, atMicros);
  }
  await append(uow, deps, session, 'tool.used', {
    tool: call.tool.slice(0, 200),
    actions: [...new Set(steps.map(({ action }) => action))],
    ok: outcome.ok,
    input_hash: deps.hasher.hex(JSON.stringify(call.input)),
    files: outcome.touched.length,
  });
}

/** A file that a command names is as much changed as one that a tool wrote. */
async function noteFile(uow: UnitOfWork, sessionId: string, callKey: string, path: string, atMicros: number) {
  await insertActivity(uow, {
    sessionId,
    callKey: `${callKey} ${path}`.slice(0, 600),
    kind: 'file',
    atMicros,
    text: path,
    ok: null,
    detail: null,
    spanId: null,
  });
}

async function append(
  uow: UnitOfWork,
  { journal }: AgentsPorts,
  { sessionId, rootSpanId }: OpenSession['session'],
  type: string,
  payload: JsonObject,
): Promise<void> {
  const chain = { sessionId, kind: 'ledger' } as const;
  await journal.append(uow, { chain, type, payload, parentSpanId: rootSpanId });
}
