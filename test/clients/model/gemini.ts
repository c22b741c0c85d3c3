/** Google's generateContent, streamed, as Gemini CLI speaks it. */
import type { Step, ToolCall, Turn } from './script.ts';
import type { Demand, ModelRequest, Wire } from './scripted-model.ts';
import { events } from './sse.ts';

interface GenerateRequest {
  readonly contents?: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly systemInstruction?: unknown;
  readonly generationConfig?: { readonly responseMimeType?: string; readonly responseJsonSchema?: unknown };
}

export const gemini: Wire = {
  demand({ path, body }: ModelRequest): Demand {
    if (path.includes(':countTokens')) return { json: { totalTokens: 1_000 } };
    if (!path.includes('enerateContent')) return { json: {} };
    const request = JSON.parse(body) as GenerateRequest;
    if (request.tools !== undefined) return 'turn';
    return request.generationConfig?.responseMimeType === 'application/json'
      ? {
          aside:
            '{"reasoning":"scripted","model_choice":"pro","complexity_reasoning":"none","complexity_score":1}',
        }
      : { aside: '<state_snapshot>The work so far was summed up.</state_snapshot>' };
  },

  turn(step: Step): Turn {
    const tokens = step.tokens ?? 1_000;
    return 'say' in step ? { text: step.say, tokens } : { call: call(step), tokens };
  },

  stream(request, turn, response): void {
    const part =
      'text' in turn
        ? { text: turn.text }
        : { functionCall: { name: turn.call.name, args: turn.call.input } };
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: turn.tokens,
        candidatesTokenCount: 10,
        totalTokenCount: turn.tokens + 10,
      },
      modelVersion: 'scripted',
    };
    if (!request.path.includes(':streamGenerateContent')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      return;
    }
    const { send, end } = events(response);
    send(undefined, answer);
    end();
  },
};

function call(step: Exclude<Step, { say: string }>): ToolCall {
  if ('shell' in step) return { name: 'run_shell_command', input: { command: step.shell } };
  if ('read' in step) return { name: 'read_file', input: { file_path: step.read } };
  if ('write' in step) return { name: 'write_file', input: { file_path: step.write, content: step.content } };
  if ('delegate' in step) return { name: 'generalist', input: { request: step.delegate } };
  return { name: step.tool, input: step.input };
}
