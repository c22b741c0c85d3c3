import { asList, asRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';

/** How to talk to one provider over HTTP. */
export interface ProviderWire {
  request(input: ProviderInput): {
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly body: LooseRecord;
  };
  read(answer: LooseRecord): {
    readonly text: string;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

export interface ProviderInput {
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly system: string;
  readonly prompt: string;
}

/** Chat completions, as offered by OpenAI and compatible servers. */
const openaiWire: ProviderWire = {
  request: (input) => ({
    url: `${input.baseUrl ?? 'https://api.openai.com/v1'}/chat/completions`,
    headers: input.apiKey === '' ? {} : { authorization: `Bearer ${input.apiKey}` },
    body: {
      model: input.model,
      max_completion_tokens: input.maxOutputTokens,
      response_format: { type: 'json_object' },
      messages: [
        { role: 'system', content: input.system },
        { role: 'user', content: input.prompt },
      ],
    },
  }),
  read: (answer) => {
    const content = asRecord(asRecord(asList(answer.choices)[0]).message).content;
    const usage = asRecord(answer.usage);
    return {
      text: isString(content) ? content : '',
      inputTokens: Number(usage.prompt_tokens ?? 0),
      outputTokens: Number(usage.completion_tokens ?? 0),
    };
  },
};

const API_VERSION = '2023-06-01';

/** The Messages API, as offered by Anthropic and compatible gateways. */
const anthropicWire: ProviderWire = {
  request: (input) => ({
    url: `${input.baseUrl ?? 'https://api.anthropic.com'}/v1/messages`,
    headers: {
      'anthropic-version': API_VERSION,
      ...(input.apiKey === '' ? {} : { 'x-api-key': input.apiKey }),
    },
    body: {
      model: input.model,
      max_tokens: input.maxOutputTokens,
      system: input.system,
      messages: [{ role: 'user', content: input.prompt }],
    },
  }),
  read: (answer) => {
    const usage = asRecord(answer.usage);
    return {
      text: asList(answer.content)
        .map((part) => asRecord(part).text)
        .filter(isString)
        .join(''),
      inputTokens: Number(usage.input_tokens ?? 0),
      outputTokens: Number(usage.output_tokens ?? 0),
    };
  },
};

export const providerWires: Readonly<Record<string, ProviderWire>> = {
  openai: openaiWire,
  anthropic: anthropicWire,
};
