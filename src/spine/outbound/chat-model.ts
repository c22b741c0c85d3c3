/** A language model that the owner runs or pays for, asked one question at a time. Nothing is asked unless it is set. */
export interface ChatModel {
  /** As people know it, e.g. `llama3.2`. */
  readonly name: string;
  /** The model's answer, which is said to be JSON and may be anything. Throws where there is none. */
  ask(question: ChatQuestion, signal: AbortSignal): Promise<string>;
}

export interface ChatQuestion {
  readonly task: string;
  readonly text: string;
}

export interface ChatService {
  /** Where the service listens, e.g. `http://127.0.0.1:11434`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const MOST_WORDS = 600;
const MOST_ANSWER = 64_000;

/** A model that Ollama serves, through `POST /api/chat`. */
export function createOllamaChat(service: ChatService): ChatModel {
  return {
    name: service.model,
    async ask(question, signal) {
      const answer = await post(service, `${bare(service.url)}/api/chat`, signal, {
        model: service.model,
        messages: messagesOf(question),
        stream: false,
        format: 'json',
        options: { temperature: 0, num_predict: MOST_WORDS },
      });
      return contentOf((answer as { message?: unknown } | null)?.message);
    },
  };
}

/** Any service with `POST /v1/chat/completions`; its address may be given with or without `/v1`. */
export function createOpenAiChat(service: ChatService): ChatModel {
  return {
    name: service.model,
    async ask(question, signal) {
      const url = `${bare(service.url).replace(/\/v1$/, '')}/v1/chat/completions`;
      const answer = await post(service, url, signal, {
        model: service.model,
        messages: messagesOf(question),
        response_format: { type: 'json_object' },
        temperature: 0,
        max_tokens: MOST_WORDS,
      });
      const [choice] = (answer as { choices?: readonly { message?: unknown }[] } | null)?.choices ?? [];
      return contentOf(choice?.message);
    },
  };
}

function messagesOf({ task, text }: ChatQuestion) {
  return [
    { role: 'system', content: task },
    { role: 'user', content: text },
  ];
}

function bare(url: string): string {
  return url.replace(/\/+$/, '');
}

function contentOf(message: unknown): string {
  const content = (message as { content?: unknown } | null | undefined)?.content;
  if (typeof content !== 'string') throw new Error('the model answered without a message');
  return content;
}

async function post(
  { apiKey, timeoutMs = TIMEOUT_MS }: ChatService,
  url: string,
  signal: AbortSignal,
  body: object,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the model answered ${response.status}`);
  }
  return JSON.parse(await bounded(response));
}

/** What is longer was not asked for, and is not read to its end. */
async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.length > MOST_ANSWER) throw new Error('the model answered at too great length');
  }
  return text + decoder.decode();
}
