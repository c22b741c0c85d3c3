/** OpenAI's chat completions, streamed, as opencode speaks it to a provider of one's own. */
import type { Step, ToolCall, Turn } from './script.ts';
import type { Demand, ModelRequest, Wire } from './scripted-model.ts';
import { events } from './sse.ts';

interface ChatRequest {
  readonly tools?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly model?: string;
}

export const chatCompletions: Wire = {
  demand({ path, body }: ModelRequest): Demand {
    if (!path.includes('/chat/completions')) return { json: { data: [] } };
    const request = JSON.parse(body) as ChatRequest;
    return (request.tools?.length ?? 0) > 0 ? 'turn' : { aside: 'The work so far was summed up.' };
  },

  turn(step: Step): Turn {
    const tokens = step.tokens ?? 1_000;
    return 'say' in step ? { text: step.say, tokens } : { call: call(step), tokens };
  },

  stream(request, turn, response): void {
    const { model = 'scripted' } = JSON.parse(request.body) as ChatRequest;
    const { send, end } = events(response);
    const id = `chatcmpl-${Math.random().toString(36).slice(2)}`;
    const chunk = (delta: object, finish_reason: string | null, extra: object = {}) =>
      send(undefined, {
        id,
        object: 'chat.completion.chunk',
        created: 0,
        model,
        choices: [{ index: 0, delta, finish_reason }],
        ...extra,
      });
    if ('text' in turn) chunk({ role: 'assistant', content: turn.text }, null);
    else chunk({ role: 'assistant', tool_calls: [toolCall(turn.call)] }, null);
    chunk({}, 'text' in turn ? 'stop' : 'tool_calls', {
      usage: { prompt_tokens: turn.tokens, completion_tokens: 10, total_tokens: turn.tokens + 10 },
    });
    send(undefined, '[DONE]');
    end();
  },
};

function toolCall({ name, input }: ToolCall): object {
  return {
    index: 0,
    id: `call_${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  };
}

function call(step: Exclude<Step, { say: string }>): ToolCall {
  if ('shell' in step) return { name: 'bash', input: { command: step.shell, description: 'Run a command' } };
  if ('read' in step) return { name: 'read', input: { filePath: step.read } };
  if ('write' in step) return { name: 'write', input: { filePath: step.write, content: step.content } };
  if ('delegate' in step)
    return {
      name: 'task',
      input: { description: 'Do a part', prompt: step.delegate, subagent_type: 'general' },
    };
  return { name: step.tool, input: step.input };
}
