/** Anthropic's Messages API, streamed, as Claude Code speaks it. */
import type { Step, ToolCall, Turn } from './script.ts';
import type { Demand, ModelRequest, Wire } from './scripted-model.ts';
import { events } from './sse.ts';

interface MessagesRequest {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly model?: string;
}

const SUMMARY = 'create a detailed summary of';

export const anthropic: Wire = {
  demand({ path, body }: ModelRequest): Demand {
    if (path.includes('count_tokens')) return { json: { input_tokens: 100 } };
    if (!path.startsWith('/v1/messages')) return { json: {} };
    const request = JSON.parse(body) as MessagesRequest;
    // The client puts notes of its own behind the request for a summary.
    if (JSON.stringify(request.messages?.slice(-3) ?? '').includes(SUMMARY))
      return { aside: '<summary>The work so far was summed up.</summary>' };
    return (request.tools?.length ?? 0) > 1 ? 'turn' : { aside: '{"title":"A scripted session"}' };
  },

  turn(step: Step): Turn {
    const tokens = step.tokens ?? 1_000;
    return 'say' in step ? { text: step.say, tokens } : { call: call(step), tokens };
  },

  stream(request, turn, response): void {
    const { model = 'claude' } = JSON.parse(request.body) as MessagesRequest;
    const { send, end } = events(response);
    const message = {
      id: `msg_${Math.random().toString(36).slice(2)}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: turn.tokens, output_tokens: 1 },
    };
    send('message_start', { type: 'message_start', message });
    if ('text' in turn) block(send, { type: 'text', text: '' }, { type: 'text_delta', text: turn.text });
    else
      block(
        send,
        {
          type: 'tool_use',
          id: `toolu_${Math.random().toString(36).slice(2)}`,
          name: turn.call.name,
          input: {},
        },
        { type: 'input_json_delta', partial_json: JSON.stringify(turn.call.input) },
      );
    send('message_delta', {
      type: 'message_delta',
      delta: { stop_reason: 'text' in turn ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20 },
    });
    send('message_stop', { type: 'message_stop' });
    end();
  },
};

function block(send: (event: string, data: unknown) => void, start: object, delta: object): void {
  send('content_block_start', { type: 'content_block_start', index: 0, content_block: start });
  send('content_block_delta', { type: 'content_block_delta', index: 0, delta });
  send('content_block_stop', { type: 'content_block_stop', index: 0 });
}

function call(step: Exclude<Step, { say: string }>): ToolCall {
  if ('shell' in step) return { name: 'Bash', input: { command: step.shell, description: 'Run a command' } };
  if ('read' in step) return { name: 'Read', input: { file_path: step.read } };
  if ('write' in step) return { name: 'Write', input: { file_path: step.write, content: step.content } };
  if ('delegate' in step)
    return {
      name: 'Agent',
      input: {
        description: 'Do a part',
        prompt: step.delegate,
        subagent_type: 'general-purpose',
        run_in_background: false,
      },
    };
  return { name: step.tool, input: step.input };
}
