import { readFile } from 'node:fs/promises';
import { decodeBase64 } from '../../../kernel/base64.ts';
import { journalErrors } from '../errors.ts';

/** Where the keys for payloads come from: a file, or the text itself. */
export type PayloadKeySource = { readonly file: string } | { readonly text: string };

const KEY_BYTES = 32;

/**
 * One key a line, 32 bytes in base64; `#` begins a remark. The first seals. To rotate, put a new key above the others:
 * what they sealed can still be read. Without a source there are none.
 */
export async function loadPayloadKeys(source: PayloadKeySource | undefined): Promise<Uint8Array[]> {
  if (!source) return [];
  const text = 'text' in source ? source.text : await readKeyFile(source.file);
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const keys = lines.map((line, at) => {
    const key = decodeBase64(line);
    if (key?.length !== KEY_BYTES) throw journalErrors.payload_keys_unreadable({ details: { key: at + 1 } });
    return key;
  });
  if (keys.length === 0) throw journalErrors.payload_keys_unreadable();
  return keys;
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw journalErrors.payload_keys_unreadable({ details: { path }, cause });
  }
}
