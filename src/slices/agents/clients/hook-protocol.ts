/** The form that Claude Code brought up and Codex took over: one event name, tool names, `hookSpecificOutput`. */
import type { HookAnswer, HookEvent, HookMessage, Reply, ToolCall } from './event.ts';
import { json, SILENCE } from './event.ts';
import { inputOf, type Members, membersOf, resultText, textOf } from './members.ts';

export function readHookMessage(message: Members, headless: boolean): HookMessage | undefined {
  const session = textOf(message, 'session_id');
  const name = textOf(message, 'hook_event_name');
  if (session === undefined || name === undefined) return undefined;
  const agent = textOf(message, 'agent_id');
  return {
    session,
    subagent: agent === undefined ? undefined : { id: agent, kind: textOf(message, 'agent_type') ?? '' },
    event: eventOf(name, message),
    headless,
  };
}

function eventOf(name: string, message: Members): HookEvent {
  switch (name) {
    case 'SessionStart':
    case 'SubagentStart':
      return { kind: 'start', source: sourceOf(textOf(message, 'source')) };
    case 'UserPromptSubmit': {
      const text = textOf(message, 'prompt') ?? '';
      // A finished background task reports in this way, and an agent asks its subagent: no person said it.
      const person = textOf(message, 'agent_id') === undefined && !/^\s*<task-notification>/.test(text);
      return { kind: 'prompt', text, person };
    }
    case 'PreToolUse':
      return { kind: 'before', call: callOf(message) };
    case 'PostToolUse':
      return { kind: 'after', call: callOf(message), result: resultOf(message.tool_response) };
    case 'PostToolUseFailure': {
      const text = textOf(message, 'error') ?? '';
      return { kind: 'after', call: callOf(message), result: { ok: false, text } };
    }
    case 'Stop':
    case 'SubagentStop':
      return { kind: 'stop', lastMessage: textOf(message, 'last_assistant_message') };
    case 'PreCompact':
      return { kind: 'compacting' };
    case 'SessionEnd':
      return { kind: 'end', reason: textOf(message, 'reason') ?? 'other' };
    default:
      return { kind: 'other' };
  }
}

export function sourceOf(text: string | undefined): 'startup' | 'resume' | 'clear' | 'compact' {
  return text === 'resume' || text === 'clear' || text === 'compact' ? text : 'startup';
}

function callOf(message: Members): ToolCall {
  return {
    tool: textOf(message, 'tool_name') ?? '',
    input: inputOf(message.tool_input),
    id: textOf(message, 'tool_use_id'),
  };
}

function resultOf(response: unknown): { readonly ok: boolean | undefined; readonly text: string } {
  const members = membersOf(response);
  const failed =
    members.is_error === true ||
    members.isError === true ||
    members.interrupted === true ||
    members.success === false;
  return { ok: failed ? false : typeof response === 'string' ? undefined : true, text: resultText(response) };
}

/** Events at which the client takes context; elsewhere an unknown member makes the whole answer invalid. */
const TAKES_CONTEXT = new Set([
  'SessionStart',
  'SubagentStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
]);

export function answerHook(message: Members, reply: Reply): HookAnswer {
  const hookEventName = textOf(message, 'hook_event_name') ?? '';
  if (reply.kind === 'context') {
    if (!TAKES_CONTEXT.has(hookEventName)) return SILENCE;
    return json({ hookSpecificOutput: { hookEventName, additionalContext: reply.text } });
  }
  if (reply.kind === 'silence' || hookEventName !== 'PreToolUse') return SILENCE;
  return json({
    hookSpecificOutput: {
      hookEventName,
      permissionDecision: reply.kind,
      permissionDecisionReason: reply.reason,
    },
  });
}
