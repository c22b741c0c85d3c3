import type { Client, HookEvent, ToolCall, ToolResult } from './event.ts';
import { json, SILENCE } from './event.ts';
import { sourceOf } from './hook-protocol.ts';
import { inputOf, type Members, membersOf, resultText, textOf } from './members.ts';

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  /** It takes `ask` for leave to run. */
  asks: false,
  read(message) {
    const session = textOf(message, 'session_id');
    const name = textOf(message, 'hook_event_name');
    if (session === undefined || name === undefined) return undefined;
    return { session, event: eventOf(name, message), headless: false };
  },
  answer(message, reply) {
    const hookEventName = textOf(message, 'hook_event_name') ?? '';
    if (reply.kind === 'context') {
      if (!['SessionStart', 'BeforeAgent', 'AfterTool'].includes(hookEventName)) return SILENCE;
      return json({ hookSpecificOutput: { hookEventName, additionalContext: reply.text } });
    }
    if (reply.kind === 'silence' || hookEventName !== 'BeforeTool') return SILENCE;
    return json({ decision: 'deny', reason: reply.reason });
  },
};

function eventOf(name: string, message: Members): HookEvent {
  switch (name) {
    case 'SessionStart':
      return { kind: 'start', source: sourceOf(textOf(message, 'source')) };
    case 'BeforeAgent':
      return { kind: 'prompt', text: ownWords(textOf(message, 'prompt') ?? ''), person: true };
    case 'BeforeTool':
      return { kind: 'before', call: callOf(message) };
    case 'AfterTool':
      return { kind: 'after', call: callOf(message), result: resultOf(message.tool_response) };
    case 'AfterAgent':
      return { kind: 'stop', lastMessage: textOf(message, 'prompt_response') };
    case 'SessionEnd':
      return { kind: 'end', reason: textOf(message, 'reason') ?? 'other' };
    default:
      // PreCompress comes before every request to the model, whether or not anything is shortened.
      return { kind: 'other' };
  }
}

function callOf(message: Members): ToolCall {
  return { tool: textOf(message, 'tool_name') ?? '', input: inputOf(message.tool_input) };
}

/** Without a terminal, what a hook said at the start stands before the person's words. */
function ownWords(prompt: string): string {
  return prompt.replace(/^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/, '');
}

/** Lines of the client's own around what a tool said. */
const AROUND = /^(?:<\/?untrusted_context>|Process Group PGID: \d+)(?:\n|$)/gm;

/** What a tool answered the model: how a command ended stands in nothing else. */
export function resultOf(response: unknown): ToolResult {
  const { error } = membersOf(response);
  const text = resultText(response).replaceAll(AROUND, '').trim();
  const code = /^Exit Code: (-?\d+)/m.exec(text)?.[1];
  return { ok: (error === undefined || error === null) && (code === undefined || code === '0'), text };
}
