import { BatonRequestError, type Operations, operations, overTheLine } from '@baton-ledger/client';
import { client } from './client.ts';

export interface TextAnswer {
  readonly text: string;
  readonly headers: Headers;
}

/** The answer as it was sent, for what must be checked or kept byte for byte, or stands in a header. */
export async function sendForAnswer(
  name: keyof Operations,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<TextAnswer> {
  const response = await client.send(operations[name], input, signal ? { signal } : {});
  const text = await overTheLine(() => response.text(), signal);
  if (!response.ok) throw new BatonRequestError(response.status, parsed(text));
  return { text, headers: response.headers };
}

export async function sendForText(
  name: keyof Operations,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<string> {
  return (await sendForAnswer(name, input, signal)).text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
