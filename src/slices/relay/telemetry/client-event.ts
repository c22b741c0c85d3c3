import type { Hasher } from '../../../kernel/hasher.ts';
import {
  type AnyValue,
  fromAnyValue,
  fromKeyValues,
  type KeyValue,
  type OtlpSpan,
  type Plain,
  toKeyValues,
} from '../otlp/model.ts';

export interface LogRecord {
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly eventName?: string;
  readonly body?: AnyValue;
  readonly attributes?: readonly KeyValue[];
}

export type CodingClient = 'claude-code' | 'codex';

const PREFIXES: Readonly<Record<string, CodingClient>> = { 'claude_code.': 'claude-code', 'codex.': 'codex' };

/** Which coding agent a metric or an event with this name is of. */
export function clientOf(name: string): CodingClient | undefined {
  const prefix = Object.keys(PREFIXES).find((candidate) => name.startsWith(candidate));
  return prefix === undefined ? undefined : PREFIXES[prefix];
}

/** Where each client puts the id of its conversation. */
export const SESSION_KEYS = ['session.id', 'conversation.id'] as const;

/** `dropped`: of a client that is known, but nothing that a person would look for. */
export type ReadEvent = OtlpSpan | 'dropped' | 'unknown';

/**
 * An event of Claude Code or Codex as a span: what it took and cost stands beside the spans of everybody else, in the
 * session of its conversation. The same event makes the same ids, so that one that comes twice is kept once.
 */
export function spanOfEvent(record: LogRecord, service: string, hasher: Hasher): ReadEvent {
  const values = fromKeyValues(record.attributes);
  const name = nameOf(record, values, service);
  const client = name === undefined ? undefined : clientOf(name);
  if (name === undefined || client === undefined) return 'unknown';
  const session = SESSION_KEYS.map((key) => values[key]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  const meaning = MEANINGS[name]?.(values);
  const end = timeOf(record, values);
  if (session === undefined || meaning === undefined || end === undefined) return 'dropped';
  const millis = Math.min(Math.max(numberOf(values.duration_ms), 0), MOST_MILLIS);
  const trace = JSON.stringify([client, session, values['prompt.id'] ?? '']);
  const event = JSON.stringify([trace, name, String(end), values['event.sequence'] ?? '', values]);
  return {
    traceId: hasher.hex(`baton trace ${trace}`).slice(0, 32),
    spanId: hasher.hex(`baton span ${event}`).slice(0, 16),
    name,
    kind: 1,
    startTimeUnixNano: String(end - BigInt(Math.round(millis * 1e6))),
    endTimeUnixNano: String(end),
    attributes: [
      ...toKeyValues({ 'session.id': String(session), 'agent.id': client, ...present(meaning.attributes) }),
      ...(record.attributes ?? []).filter(({ key }) => key !== 'session.id'),
    ],
    status: meaning.error === undefined ? {} : { code: 2, message: meaning.error },
  };
}

interface EventMeaning {
  readonly attributes: Readonly<Record<string, Plain | undefined>>;
  readonly error?: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

const MOST_MILLIS = 86_400_000;

const MEANINGS: Readonly<Record<string, (values: Values) => EventMeaning | undefined>> = {
  'claude_code.user_prompt': prompt,
  'codex.user_prompt': prompt,
  'claude_code.tool_result': toolResult,
  'codex.tool_result': toolResult,
  'claude_code.api_error': (values) => ({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': textOf(values.model) },
    error: textOf(values.error) ?? 'The request to the model failed.',
  }),
  'claude_code.api_request': (values) => {
    const [read, written] = [numberOf(values.cache_read_tokens), numberOf(values.cache_creation_tokens)];
    return {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': textOf(values.model),
        // Claude Code counts what a cache held apart from the rest.
        'gen_ai.usage.input_tokens': numberOf(values.input_tokens) + read + written,
        'gen_ai.usage.output_tokens': numberOf(values.output_tokens),
        'gen_ai.usage.cache_read.input_tokens': read,
        'gen_ai.usage.cache_creation.input_tokens': written,
        ...(values.cost_usd !== undefined && { 'gen_ai.usage.cost': numberOf(values.cost_usd) }),
      },
    };
  },
  'codex.sse_event': (values) => {
    if (values['event.kind'] !== 'response.completed') return undefined;
    return {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': textOf(values.model),
        'gen_ai.usage.input_tokens': numberOf(values.input_token_count),
        'gen_ai.usage.output_tokens': numberOf(values.output_token_count),
        'gen_ai.usage.cache_read.input_tokens': numberOf(values.cached_token_count),
      },
    };
  },
  'codex.api_request': (values) => {
    const error = textOf(values['error.message']);
    return error === undefined ? undefined : { attributes: { 'gen_ai.operation.name': 'chat' }, error };
  },
};

function prompt(values: Values): EventMeaning {
  return { attributes: { 'openinference.span.kind': 'AGENT', 'input.value': textOf(values.prompt) } };
}

function toolResult(values: Values): EventMeaning {
  const failed = String(values.success) === 'false';
  return {
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': textOf(values.tool_name) },
    error: failed ? (textOf(values.error) ?? textOf(values.output) ?? 'The tool failed.') : undefined,
  };
}

/** Some versions name the event in full, some only behind the name of the program. */
function nameOf(record: LogRecord, values: Values, service: string): string | undefined {
  const named = [record.eventName, fromAnyValue(record.body), values['event.name']].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  const full = named.find((name) => clientOf(name) !== undefined);
  if (full !== undefined) return full;
  const short = textOf(values['event.name']) ?? record.eventName;
  if (short === undefined) return undefined;
  if (service === 'claude-code') return `claude_code.${short}`;
  return service.startsWith('codex') ? `codex.${short}` : undefined;
}

function timeOf(record: LogRecord, values: Values): bigint | undefined {
  for (const time of [record.timeUnixNano, record.observedTimeUnixNano]) {
    if (time !== undefined && /^\d{1,19}$/.test(String(time)) && BigInt(time) > 0n) {
      const nanos = BigInt(time);
      return nanos <= LATEST ? nanos : undefined;
    }
  }
  const stamp = Date.parse(String(values['event.timestamp'] ?? ''));
  return Number.isNaN(stamp) || stamp <= 0 ? undefined : BigInt(stamp) * 1_000_000n;
}

/** As for spans: within 64 bits. */
const LATEST = 9_000_000_000_000_000_000n;

function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function present(attributes: EventMeaning['attributes']): Record<string, Plain> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, Plain] => entry[1] !== undefined),
  );
}
