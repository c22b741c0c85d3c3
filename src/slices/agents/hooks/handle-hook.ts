/** One message of a client's hook, from its words to what the hook answers. */
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { judge, settleCall } from '../calls/decide-call.ts';
import { depositSession } from '../capture/deposit-session.ts';
import { commits } from '../capture/outcomes.ts';
import { recordCall } from '../capture/record-call.ts';
import { type ActivityKind, insertActivity } from '../capture/store.ts';
import type { Client, HookAnswer, HookMessage, Reply, ToolCall } from '../clients/event.ts';
import { SILENCE } from '../clients/event.ts';
import { withScriptsSince } from '../clients/paths.ts';
import { withoutPrivate } from '../clients/private-words.ts';
import type { Step } from '../clients/steps.ts';
import { toolSteps } from '../clients/tool-steps.ts';
import { hasEnded, type OpenSession, openAgentSession } from '../live/open-session.ts';
import { markGone } from '../live/store.ts';
import type { AgentsPorts } from '../ports.ts';
import { promptText, startText, touchedText } from './orientation.ts';
import type { HookBody } from './schema.ts';

export interface HookCall {
  readonly principal: Principal;
  readonly client: Client;
  readonly body: HookBody;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

const DEFAULT_WAIT_SECONDS = 45;
const MOST_WORDS = 4_000;
const NOTHING: Reply = { kind: 'silence' };

export async function handleHook(deps: AgentsPorts, call: HookCall): Promise<HookAnswer> {
  const { client } = call;
  const message = withoutPrivate(call.body.message) as Readonly<Record<string, unknown>>;
  const read = client.read(message);
  if (!read || read.event.kind === 'other') return SILENCE;
  return client.answer(message, await replyTo(deps, call, read));
}

async function replyTo(deps: AgentsPorts, call: HookCall, message: HookMessage): Promise<Reply> {
  const { event } = message;
  const { db } = deps;
  switch (event.kind) {
    case 'start': {
      const open = await db.write((uow) => opened(uow, deps, call, message));
      return { kind: 'context', text: await startText(deps, call.principal, open, call.requestId) };
    }
    case 'prompt':
      return event.person ? onPrompt(deps, call, message, event.text) : NOTHING;
    case 'before':
      return onCall(deps, call, message, event.call);
    case 'after': {
      const steps = toolSteps(event.call, call.body.place);
      const callKey = keyOf(deps, event.call);
      await db.write(async (uow) => {
        if (await isOver(uow, call, message)) return;
        const open = await opened(uow, deps, call, message);
        await recordCall(uow, deps, open, { call: event.call, callKey, steps, result: event.result });
      });
      return NOTHING;
    }
    case 'stop':
    case 'compacting':
    case 'end':
      await onStop(deps, call, message);
      return NOTHING;
    case 'other':
      return NOTHING;
  }
}

function opened(
  uow: UnitOfWork,
  deps: AgentsPorts,
  call: HookCall,
  message: HookMessage,
): Promise<OpenSession> {
  const { principal, client, body } = call;
  return openAgentSession(uow, deps, principal, { client, message, root: body.place.root });
}

async function onPrompt(
  deps: AgentsPorts,
  call: HookCall,
  message: HookMessage,
  prompt: string,
): Promise<Reply> {
  const text = deps.redact(prompt.slice(0, MOST_WORDS));
  const open = await deps.db.write(async (uow) => {
    const found = await opened(uow, deps, call, message);
    if (call.body.prompts !== false && text.trim() !== '')
      await note(uow, deps, found, 'prompt', call.requestId, text);
    return found;
  });
  const isNew = (id: string) => deps.db.write((uow) => note(uow, deps, open, 'told', id, ''));
  const { compaction } = call.body;
  if (compaction !== undefined && (await isNew(`compaction:${compaction}`))) {
    return { kind: 'context', text: await startText(deps, call.principal, open, call.requestId) };
  }
  const told = await promptText(deps, call.principal, open, text, call.requestId, isNew);
  return told === undefined ? NOTHING : { kind: 'context', text: told };
}

async function onCall(
  deps: AgentsPorts,
  call: HookCall,
  message: HookMessage,
  tool: ToolCall,
): Promise<Reply> {
  const { principal, client, body } = call;
  const headless = body.headless === true || message.headless;
  const asked = {
    principal,
    tool: tool.tool,
    callKey: keyOf(deps, tool),
    clientAsks: client.asks && !headless,
  };
  const { open, steps, judgement, warning } = await deps.db.write(async (uow) => {
    const found = await opened(uow, deps, call, message);
    const steps = toolSteps(tool, withScriptsSince(body.place, found.agent.startedMicros));
    const written = writtenPaths(steps);
    const near = written.length > 0 ? await touchedText(uow, deps, found, written) : undefined;
    const judged = await judge(uow, deps, { ...asked, steps, open: found });
    const [span] = judged.steps;
    if (span && commits(steps)) await note(uow, deps, found, 'told', `span:${span.spanId}`, '', span.spanId);
    return { open: found, steps, judgement: judged, warning: near };
  });
  const waitSeconds = body.wait_seconds ?? (headless ? 0 : DEFAULT_WAIT_SECONDS);
  const reply = await settleCall(
    deps,
    { ...asked, open, steps, waitSeconds, rules: body.atlas, signal: call.signal },
    judgement,
  );
  return reply.kind === 'silence' && warning !== undefined ? { kind: 'context', text: warning } : reply;
}

async function onStop(deps: AgentsPorts, call: HookCall, message: HookMessage): Promise<void> {
  const { principal, client, body } = call;
  const { event } = message;
  if (await deps.db.read((reader) => isOver(reader, call, message))) return;
  await deps.db.write(async (uow) => {
    const open = await opened(uow, deps, call, message);
    await recordFinished(uow, deps, call, open);
    const words = event.kind === 'stop' ? event.lastMessage : undefined;
    if (words !== undefined && body.prompts !== false) {
      await note(uow, deps, open, 'message', call.requestId, deps.redact(words.slice(0, MOST_WORDS)));
    }
  });
  await deps.db.write(async (uow) => {
    const open = await opened(uow, deps, call, message);
    await depositSession(uow, deps, { principal, open, client, git: body.git ?? {} });
  });
  if (event.kind !== 'end') return;
  await deps.db.write(async (uow) => {
    const { session } = await opened(uow, deps, call, message);
    await markGone(uow, session.sessionId);
    await deps.sessions.endSession(uow, session.sessionId, 'completed');
  });
}

/** What the client's own report may not have told yet, or not wholly. */
async function recordFinished(
  uow: UnitOfWork,
  deps: AgentsPorts,
  { body }: HookCall,
  open: OpenSession,
): Promise<void> {
  for (const { id, tool, input, ok, text } of body.calls ?? []) {
    const finished = { id, tool, input: withoutPrivate(input) as ToolCall['input'] };
    const steps = toolSteps(finished, body.place);
    const result = { ok, text: withoutPrivate(text) as string };
    await recordCall(uow, deps, open, { call: finished, callKey: keyOf(deps, finished), steps, result });
  }
}

/** What comes late must not begin a conversation anew that has ended; nor does an end begin one. */
function isOver(reader: Reader, { principal, client }: HookCall, message: HookMessage): Promise<boolean> {
  return hasEnded(reader, principal.defaultProject, client.name, message);
}

/** False if it was noted before. */
async function note(
  uow: UnitOfWork,
  deps: AgentsPorts,
  { session }: OpenSession,
  kind: ActivityKind,
  callKey: string,
  text: string,
  spanId: string | null = null,
): Promise<boolean> {
  const atMicros = deps.clock.now();
  const { sessionId } = session;
  return insertActivity(uow, { sessionId, callKey, kind, atMicros, text, ok: null, detail: null, spanId });
}

function writtenPaths(steps: readonly Step[]): string[] {
  const written = steps.filter(
    ({ action, parameters }) => action === 'file.write' && parameters.by === 'tool',
  );
  return [
    ...new Set(
      written
        .filter(({ parameters }) => parameters.inside === true)
        .map(({ parameters }) => String(parameters.path)),
    ),
  ];
}

/** The same before and after the call. */
function keyOf({ hasher }: AgentsPorts, { id, tool, input }: ToolCall): string {
  return id === undefined ? hasher.hex(`${tool}\n${JSON.stringify(input)}`) : id.slice(0, 300);
}
