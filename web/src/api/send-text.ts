import { BatonRequestError, type Operations, operations } from '@baton-ledger/client';
import { client } from './client.ts';

/** The answer as it was sent, for what must be checked or kept byte for byte. */
export async function sendForText(
  name: keyof Operations,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<string> {
  const response = await client.send(operations[name], input, signal ? { signal } : {});
  const text = await response.text();
  if (!response.ok) throw new BatonRequestError(response.status, parsed(text));
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
