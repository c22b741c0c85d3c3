import { asDoc, asList, isText } from '../document.ts';
import type { ProviderWire } from './api-proxy.ts';

const API_VERSION = '2023-06-01';

/** The Messages API, as Anthropic and compatible gateways speak it. */
export const anthropicWire: ProviderWire = {
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
    const usage = asDoc(answer.usage);
    return {
      text: asList(answer.content)
        .map((part) => asDoc(part).text)
        .filter(isText)
        .join(''),
      inputTokens: Number(usage.input_tokens ?? 0),
      outputTokens: Number(usage.output_tokens ?? 0),
    };
  },
};
