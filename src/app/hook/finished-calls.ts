/**
 * What the end of a transcript says of the calls since the last prompt. Claude Code reports calls on the side, so that the
 * last one may still be under way when the conversation stops; Codex reports them without saying how they ended.
 */
import { type Members, membersOf, resultText, textOf } from '../../slices/agents/clients/members.ts';
import { readTail } from './tail.ts';

export interface FinishedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly text: string;
}

const MOST_CALLS = 40;
type Found = Pick<FinishedCall, 'id' | 'tool' | 'input'>;

/** Only calls that are known to have run: one that was refused is none. */
export function finishedCalls(client: string, path: unknown): FinishedCall[] {
  const take = client === 'claude-code' ? takeClaudeCode : client === 'codex' ? takeCodex : undefined;
  if (!take) return [];
  const calls = new CallList();
  for (const line of readTail(path).split('\n')) {
    const record = parsed(line);
    if (record) take(calls, record);
  }
  return calls.finished.slice(-MOST_CALLS);
}

class CallList {
  readonly finished: FinishedCall[] = [];
  private readonly begun = new Map<string, Found>();

  prompted(): void {
    this.finished.length = 0;
    this.begun.clear();
  }

  called(call: Found): void {
    this.begun.set(call.id, call);
  }

  returned(id: string | undefined, ok: boolean | undefined, text: string): void {
    const call = this.begun.get(id ?? '');
    if (call && ok !== undefined) this.finished.push({ ...call, ok, text });
  }
}

function takeClaudeCode(calls: CallList, line: Members): void {
  const { content } = membersOf(line.message);
  const blocks = Array.isArray(content) ? content.map(membersOf) : [];
  if (line.type === 'assistant') {
    for (const block of blocks.filter(({ type }) => type === 'tool_use'))
      calls.called({ id: textOf(block, 'id') ?? '', tool: textOf(block, 'name') ?? '', input: block.input });
  }
  if (line.type !== 'user' || line.isMeta === true) return;
  const results = blocks.filter(({ type }) => type === 'tool_result');
  if (results.length === 0) calls.prompted();
  for (const result of results) {
    const text = resultText(result.content);
    // A refusal is an error too, but no command that ended.
    const ok = result.is_error !== true ? true : /^(?:Error: )?Exit code \d+/.test(text) ? false : undefined;
    calls.returned(textOf(result, 'tool_use_id'), ok, text);
  }
}

function takeCodex(calls: CallList, line: Members): void {
  const item = membersOf(line.payload);
  if (line.type === 'event_msg' && item.type === 'task_started') calls.prompted();
  if (line.type !== 'response_item') return;
  const id = textOf(item, 'call_id');
  if (item.type === 'function_call' || item.type === 'custom_tool_call') {
    const input = item.arguments === undefined ? { input: item.input } : (parsed(item.arguments) ?? {});
    calls.called({ id: id ?? '', tool: textOf(item, 'name') ?? '', input });
  }
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    const text = resultText(item.output);
    const code = /(?:Process exited with code|Exit code:) (-?\d+)/.exec(text)?.[1];
    const said = text.split(/\nOutput:\n/)[1] ?? '';
    calls.returned(id, code === undefined ? undefined : code === '0', said);
  }
}

function parsed(text: unknown): Members | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
