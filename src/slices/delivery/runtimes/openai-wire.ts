import { asDoc, asList, isText } from '../document.ts';
import type { ProviderWire } from './api-proxy.ts';

/** Chat completions, as OpenAI and the many that follow it speak them. */
export const openaiWire: ProviderWire = {
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
    const content = asDoc(asDoc(asList(answer.choices)[0]).message).content;
    const usage = asDoc(answer.usage);
    return {
      text: isText(content) ? content : '',
      inputTokens: Number(usage.prompt_tokens ?? 0),
      outputTokens: Number(usage.completion_tokens ?? 0),
    };
  },
};
