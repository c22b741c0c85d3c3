import type { Client, HookEvent, ToolCall } from './event.ts';
import { json, SILENCE } from './event.ts';
import { inputOf, type Members, resultText, textOf } from './members.ts';

/** Events that decide, each with a message of its own; `preToolUse` sees the other tools. */
const DECIDES = new Set(['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile']);

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  asks: true,
  read(message) {
    const session = textOf(message, 'conversation_id', 'session_id');
    const name = textOf(message, 'hook_event_name');
    if (session === undefined || name === undefined) return undefined;
    return { session, event: eventOf(name, message), headless: message.is_background_agent === true };
  },
  answer(message, reply) {
    const name = textOf(message, 'hook_event_name') ?? '';
    if (reply.kind === 'context') {
      return name === 'sessionStart' || name === 'postToolUse'
        ? json({ additional_context: reply.text })
        : SILENCE;
    }
    if (reply.kind === 'silence' || !DECIDES.has(name)) return SILENCE;
    if (name === 'beforeReadFile') return json({ permission: 'deny' });
    return json({ permission: reply.kind, user_message: reply.reason, agent_message: reply.reason });
  },
};

function eventOf(name: string, message: Members): HookEvent {
  switch (name) {
    case 'sessionStart':
      return { kind: 'start', source: 'startup' };
    case 'beforeSubmitPrompt':
      return { kind: 'prompt', text: textOf(message, 'prompt') ?? '', person: true };
    case 'preToolUse':
    case 'beforeShellExecution':
    case 'beforeMCPExecution':
    case 'beforeReadFile':
      return { kind: 'before', call: callOf(name, message) };
    case 'postToolUse':
    case 'afterShellExecution':
    case 'afterMCPExecution':
    case 'afterFileEdit': {
      const output = message.tool_output ?? message.output ?? message.result_json ?? '';
      return {
        kind: 'after',
        call: callOf(name, message),
        result: { ok: undefined, text: resultText(output) },
      };
    }
    case 'postToolUseFailure': {
      const text = textOf(message, 'error_message', 'error') ?? '';
      return { kind: 'after', call: callOf(name, message), result: { ok: false, text } };
    }
    case 'preCompact':
      return { kind: 'compacting' };
    case 'stop':
    case 'subagentStop':
      return { kind: 'stop' };
    case 'sessionEnd':
      return { kind: 'end', reason: textOf(message, 'reason') ?? 'other' };
    default:
      return { kind: 'other' };
  }
}

/** As the tool that the event is about, in the names that `preToolUse` has for them. */
function callOf(name: string, message: Members): ToolCall {
  const id = textOf(message, 'tool_use_id');
  switch (name) {
    case 'beforeShellExecution':
    case 'afterShellExecution':
      return { tool: 'Shell', input: { command: message.command ?? '' }, id };
    case 'beforeMCPExecution':
    case 'afterMCPExecution':
      return {
        tool: `MCP:${textOf(message, 'tool_name') ?? ''}`,
        input: {
          server: textOf(message, 'server', 'url', 'command') ?? '',
          arguments: inputOf(message.tool_input),
        },
        id,
      };
    case 'beforeReadFile':
      return { tool: 'Read', input: { file_path: message.file_path ?? '' }, id };
    case 'afterFileEdit':
      return { tool: 'Write', input: { file_path: message.file_path ?? '' }, id };
    default:
      return { tool: textOf(message, 'tool_name') ?? '', input: inputOf(message.tool_input), id };
  }
}
