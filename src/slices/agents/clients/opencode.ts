/**
 * opencode has no hook processes: our plugin runs inside it and sends what its hooks are called with, as
 * `{ hook, input, output }`, with `session` and, for a subagent, `parent`.
 */
import type { Client, HookEvent, ToolCall } from './event.ts';
import { json, SILENCE } from './event.ts';
import { type Members, membersOf, resultText, textOf } from './members.ts';

export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  /** A plugin can only let a call pass or stop it. */
  asks: false,
  read(message) {
    const hook = textOf(message, 'hook');
    const session = textOf(message, 'session') ?? textOf(membersOf(message.input), 'sessionID');
    if (hook === undefined || session === undefined) return undefined;
    const event = eventOf(hook, message);
    return { session, parent: textOf(message, 'parent'), event, headless: message.headless === true };
  },
  /** The plugin throws the reason, or adds the context to the system prompt. */
  answer(_message, reply) {
    if (reply.kind === 'silence') return SILENCE;
    if (reply.kind === 'context') return json({ context: reply.text });
    return json({ deny: reply.reason });
  },
};

function eventOf(hook: string, message: Members): HookEvent {
  const output = membersOf(message.output);
  switch (hook) {
    case 'session.created':
      return { kind: 'start', source: 'startup' };
    case 'session.compacted':
      return { kind: 'start', source: 'compact' };
    case 'chat.message':
      // A subagent is asked by an agent.
      return {
        kind: 'prompt',
        text: resultText(output.parts ?? output.message),
        person: textOf(message, 'parent') === undefined,
      };
    case 'tool.execute.before':
      return { kind: 'before', call: callOf(message, output.args) };
    case 'tool.execute.after': {
      const { exit } = membersOf(output.metadata);
      const ok = typeof exit === 'number' ? exit === 0 : undefined;
      return { kind: 'after', call: callOf(message), result: { ok, text: resultText(output.output) } };
    }
    case 'session.idle':
      return { kind: 'stop', lastMessage: textOf(output, 'text') };
    case 'experimental.session.compacting':
      return { kind: 'compacting' };
    case 'session.deleted':
      return { kind: 'end', reason: 'deleted' };
    default:
      return { kind: 'other' };
  }
}

function callOf(message: Members, args?: unknown): ToolCall {
  const input = membersOf(message.input);
  return {
    tool: textOf(input, 'tool') ?? '',
    input: membersOf(args ?? input.args),
    id: textOf(input, 'callID'),
  };
}
