/**
 * What a span says of a model's or a tool's work, whichever convention it is written in. Each list has the keys of the
 * GenAI conventions, then OpenInference's, then OpenLLMetry's and older ones; the first that is present counts.
 */
import { member } from '../../../kernel/json/loose.ts';
import { fromAnyValue, type KeyValue } from '../otlp/model.ts';

export const CONVENTIONS = {
  session: [
    'session.id',
    'gen_ai.conversation.id',
    'conversation.id',
    'langfuse.session.id',
    'traceloop.association.properties.session_id',
  ],
  agent: ['agent.id', 'gen_ai.agent.id', 'gen_ai.agent.name', 'agent.name', 'traceloop.workflow.name'],
  model: [
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.model_name',
    'embedding.model_name',
    'reranker.model_name',
    'llm.response.model',
    'llm.request.model',
  ],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'llm.vendor'],
  tool: ['gen_ai.tool.name', 'tool.name', 'tool_call.function.name', 'mcp.tool.name'],
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'llm.token_count.prompt',
    'gen_ai.usage.prompt_tokens',
    'llm.usage.prompt_tokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'llm.token_count.completion',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
  ],
  cacheReadTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'llm.usage.cache_read_input_tokens',
  ],
  cacheWriteTokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'llm.usage.cache_creation_input_tokens',
  ],
  cost: ['gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.usage.total_cost', 'llm.usage.total_cost'],
  input: [
    'o2r.message.text',
    'input.value',
    'gen_ai.input.messages',
    'llm.input_messages.0.message.content',
    'gen_ai.prompt.0.content',
    'traceloop.entity.input',
    'gen_ai.tool.call.arguments',
    'tool.parameters',
  ],
  output: [
    'o2r.message.reply_text',
    'output.value',
    'gen_ai.output.messages',
    'llm.output_messages.0.message.content',
    'gen_ai.completion.0.content',
    'traceloop.entity.output',
    'gen_ai.tool.call.result',
  ],
  error: ['exception.message', 'error.message', 'o2r.relay.reject_reason', 'rpc.jsonrpc.error_message'],
} as const satisfies Record<string, readonly string[]>;

export type Convention = keyof typeof CONVENTIONS;

export const WORK_KINDS = [
  'llm',
  'embedding',
  'retriever',
  'reranker',
  'tool',
  'agent',
  'chain',
  'guardrail',
  'evaluator',
  'task',
  'forward',
  'other',
] as const;

/** Those that are kept apart for filters. */
export const CALL_KINDS = ['llm', 'embedding', 'retriever', 'reranker', 'tool', 'agent'] as const;

export type WorkKind = (typeof WORK_KINDS)[number];

/** The relay's own spans, by name. */
const BY_NAME: Readonly<Record<string, WorkKind>> = { 'a2a.task': 'task', 'a2a.relay.forward': 'forward' };

const BY_OPERATION: Readonly<Record<string, WorkKind>> = {
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  completion: 'llm',
  embeddings: 'embedding',
  embedding: 'embedding',
  rerank: 'reranker',
  retrieval: 'retriever',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  invoke_workflow: 'chain',
  workflow: 'chain',
  task: 'chain',
  agent: 'agent',
  tool: 'tool',
};

const OPERATION_KEYS = ['gen_ai.operation.name', 'traceloop.span.kind', 'llm.request.type'];

export interface SpanMeaning {
  readonly kind: WorkKind;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly tool: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** In millionths of a US dollar, where the span says itself what it cost. */
  readonly costMicros: number | undefined;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly error: string | undefined;
}

/** Input tokens contain those read from and written to a cache, as the GenAI conventions have it. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Only these count tokens: an agent's span repeats the sums of the calls below it. */
const COUNTS_TOKENS: ReadonlySet<WorkKind> = new Set(['llm', 'embedding', 'reranker']);

export function meaningOf(name: string, attributes: readonly KeyValue[] | undefined): SpanMeaning {
  const values = new Map<string, unknown>();
  for (const { key, value } of attributes ?? []) values.set(key, fromAnyValue(value));
  const text = (convention: Convention) => firstText(values, CONVENTIONS[convention]);
  const model = text('model');
  const tool = text('tool');
  const kind = kindOf(name, values, { model, tool });
  const usage = COUNTS_TOKENS.has(kind) ? usageOf(values) : undefined;
  const cost = COUNTS_TOKENS.has(kind) ? firstNumber(values, CONVENTIONS.cost) : undefined;
  return {
    kind,
    session: text('session'),
    agent: text('agent'),
    model,
    provider: text('provider'),
    tool: kind === 'tool' ? (tool ?? firstText(values, ['traceloop.entity.name']) ?? name) : undefined,
    usage,
    costMicros: cost === undefined ? undefined : Math.round(cost * 1e6),
    input: text('input'),
    output: text('output'),
    error: text('error'),
  };
}

function kindOf(
  name: string,
  values: ReadonlyMap<string, unknown>,
  { model, tool }: { readonly model: string | undefined; readonly tool: string | undefined },
): WorkKind {
  const own = member(BY_NAME, name);
  if (own) return own;
  for (const key of OPERATION_KEYS) {
    const kind = member(BY_OPERATION, String(values.get(key) ?? '').toLowerCase());
    if (kind) return kind;
  }
  const declared = String(values.get('openinference.span.kind') ?? '').toLowerCase();
  // The relay marks a reply as LLM, as its protocol has it; without a model it is no model's work.
  if (declared === 'llm' && name.startsWith('a2a.') && model === undefined) return 'other';
  const kind = WORK_KINDS.find((candidate) => candidate === declared);
  if (kind) return kind;
  if (tool !== undefined) return 'tool';
  return model !== undefined && usageOf(values) ? 'llm' : 'other';
}

function usageOf(values: ReadonlyMap<string, unknown>): TokenUsage | undefined {
  const count = (convention: Convention) => {
    const number = firstNumber(values, CONVENTIONS[convention]);
    return number === undefined ? undefined : Math.min(Math.round(number), MOST_TOKENS);
  };
  const [input, output] = [count('inputTokens'), count('outputTokens')];
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: Math.min(count('cacheReadTokens') ?? 0, input ?? 0),
    cacheWrite: Math.min(count('cacheWriteTokens') ?? 0, input ?? 0),
  };
}

/** No call has more; a sender that claims it may not drown the sums of everybody else. */
const MOST_TOKENS = 1e9;
const MOST_COST = 1e6;

function firstText(values: ReadonlyMap<string, unknown>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = values.get(key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  }
  return undefined;
}

/** Some exporters write numbers as text. */
function firstNumber(values: ReadonlyMap<string, unknown>, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = values.get(key);
    if (value === undefined || value === null || value === '') continue;
    const number = Number(value);
    if (Number.isFinite(number) && number >= 0)
      return Math.min(number, keys === CONVENTIONS.cost ? MOST_COST : MOST_TOKENS);
  }
  return undefined;
}
