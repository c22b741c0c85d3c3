import { describe, expect, it } from 'vitest';
import { toKeyValues } from '../otlp/model.ts';
import { meaningOf } from './conventions.ts';

const meaning = (attributes: Parameters<typeof toKeyValues>[0], name = 'span') =>
  meaningOf(name, toKeyValues(attributes));

describe('what a span says of models and tools', () => {
  it.each([
    [
      'GenAI',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.response.model': 'gpt-5-2026',
        'gen_ai.provider.name': 'openai',
        'gen_ai.conversation.id': 's',
        'gen_ai.agent.name': 'writer',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 2,
        'gen_ai.usage.cache_read.input_tokens': 4,
      },
    ],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-5-2026',
        'llm.provider': 'openai',
        'session.id': 's',
        'agent.name': 'writer',
        'llm.token_count.prompt': 10,
        'llm.token_count.completion': 2,
        'llm.token_count.prompt_details.cache_read': 4,
      },
    ],
    [
      'OpenLLMetry',
      {
        'llm.request.type': 'chat',
        'gen_ai.response.model': 'gpt-5-2026',
        'gen_ai.system': 'openai',
        'traceloop.association.properties.session_id': 's',
        'traceloop.workflow.name': 'writer',
        'gen_ai.usage.prompt_tokens': '10',
        'gen_ai.usage.completion_tokens': 2,
        'gen_ai.usage.cache_read_input_tokens': 4,
      },
    ],
  ])('reads %s', (_, attributes) => {
    expect(meaning(attributes)).toMatchObject({
      kind: 'llm',
      model: 'gpt-5-2026',
      provider: 'openai',
      session: 's',
      agent: 'writer',
      usage: { input: 10, output: 2, cacheRead: 4, cacheWrite: 0 },
    });
  });

  it('reads tools of each, by name', () => {
    expect(meaning({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'grep' })).toMatchObject({
      kind: 'tool',
      tool: 'grep',
    });
    expect(meaning({ 'openinference.span.kind': 'TOOL', 'tool.name': 'grep' }).tool).toBe('grep');
    expect(meaning({ 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'grep' }).tool).toBe('grep');
    expect(meaning({ 'openinference.span.kind': 'TOOL' }, 'grep').tool).toBe('grep');
  });

  it('counts tokens where a model worked, not where an agent repeats the sum', () => {
    const usage = {
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.request.model': 'm',
    };
    expect(meaning({ ...usage, 'gen_ai.operation.name': 'invoke_agent' }).usage).toBeUndefined();
    expect(meaning(usage)).toMatchObject({ kind: 'llm', usage: { input: 10 } });
    expect(meaning({ 'openinference.span.kind': 'LLM' }, 'a2a.message.send').kind).toBe('other');
    expect(meaning({ 'gen_ai.operation.name': 'constructor' }, 'toString').kind).toBe('other');
  });

  it('takes no number that cannot be meant', () => {
    const of = (value: number | string) =>
      meaning({
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': value,
        'gen_ai.usage.cost': value,
      });
    expect(of(-5)).toMatchObject({ usage: undefined, costMicros: undefined });
    expect(of('many')).toMatchObject({ usage: undefined, costMicros: undefined });
    expect(of(1e300)).toMatchObject({ usage: { input: 1e9 }, costMicros: 1e12 });
  });
});
