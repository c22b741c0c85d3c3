/** OpenAI's Responses API, streamed, as Codex speaks it. */
import type { Step, ToolCall, Turn } from './script.ts';
import type { Demand, ModelRequest, Wire } from './scripted-model.ts';
import { events } from './sse.ts';

interface ResponsesRequest {
  readonly tools?: readonly { readonly type: string; readonly name?: string }[];
  readonly input?: readonly unknown[];
}

const SUMMARY = 'CONTEXT CHECKPOINT COMPACTION';

export const responses: Wire = {
  demand({ path, body }: ModelRequest): Demand {
    if (!path.includes('/responses')) return { json: { models: [], data: [] } };
    const request = JSON.parse(body) as ResponsesRequest;
    if (JSON.stringify(request.input?.at(-1) ?? '').includes(SUMMARY))
      return { aside: 'The work so far was summed up.' };
    return 'turn';
  },

  turn(step: Step): Turn {
    const tokens = step.tokens ?? 1_000;
    return 'say' in step ? { text: step.say, tokens } : { call: call(step), tokens };
  },

  stream(_request, turn, response): void {
    const { send, end } = events(response);
    const id = `resp_${Math.random().toString(36).slice(2)}`;
    const item = 'text' in turn ? message(turn.text) : functionCall(turn.call);
    send('response.created', { type: 'response.created', response: { id } });
    send('response.output_item.added', { type: 'response.output_item.added', output_index: 0, item });
    send('response.output_item.done', { type: 'response.output_item.done', output_index: 0, item });
    send('response.completed', {
      type: 'response.completed',
      response: {
        id,
        usage: {
          input_tokens: turn.tokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 10,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: turn.tokens + 10,
        },
      },
    });
    end();
  },
};

function message(text: string): object {
  return {
    type: 'message',
    role: 'assistant',
    id: `msg_${Math.random().toString(36).slice(2)}`,
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

function functionCall({ name, input }: ToolCall): object {
  const call_id = `call_${Math.random().toString(36).slice(2)}`;
  // Codex's tools that take plain text instead of JSON: a patch, and code that calls the other tools.
  return typeof input.freeform === 'string'
    ? { type: 'custom_tool_call', call_id, name, input: input.freeform }
    : { type: 'function_call', call_id, name, arguments: JSON.stringify(input) };
}

function call(step: Exclude<Step, { say: string }>): ToolCall {
  if ('shell' in step) return { name: 'exec_command', input: { cmd: step.shell } };
  if ('read' in step) return { name: 'exec_command', input: { cmd: `cat ${step.read}` } };
  if ('write' in step) return { name: 'apply_patch', input: { freeform: addFile(step.write, step.content) } };
  if ('delegate' in step) return { name: 'spawn_agent', input: { message: step.delegate } };
  return { name: step.tool, input: step.input };
}

function addFile(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n');
  return [
    '*** Begin Patch',
    `*** Add File: ${path}`,
    ...lines.map((line) => `+${line}`),
    '*** End Patch',
    '',
  ].join('\n');
}
