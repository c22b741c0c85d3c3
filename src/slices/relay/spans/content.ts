/** What of a message may stand in a span: raw bytes never, secrets masked, or nothing at all. */
import type { Hasher } from '../../../kernel/hasher.ts';
import { BareObject } from '../../../kernel/json/bare-object.ts';
import { isObj, type Obj, present, text } from '../a2a/json.ts';
import { redactMember } from './redact.ts';
import { redactPieces } from './redact-pieces.ts';

export type ContentMode = 'full' | 'redacted' | 'none';

export interface ContentPolicy {
  readonly mode: ContentMode;
  readonly hideInputs: boolean;
  readonly hideOutputs: boolean;
}

export const DEFAULT_CONTENT: ContentPolicy = { mode: 'redacted', hideInputs: false, hideOutputs: false };

export function contentValue(
  role: 'user' | 'agent',
  parts: readonly Obj[],
  mode: ContentMode,
  hasher: Hasher,
): string {
  return JSON.stringify({ role, parts: safeParts(parts, mode, hasher) });
}

/** Texts are looked through as one, each with those of the same source, so that none hides half a secret. */
export function safeParts(
  parts: readonly Obj[],
  mode: ContentMode,
  hasher: Hasher,
  sourceOf: (index: number) => string = () => '',
): Obj[] {
  const bare = parts.map((part) => withoutBytes(part, hasher));
  if (mode === 'full') return bare;
  const texts = redactPieces(
    bare.map(({ text: said }, index) => ({
      source: sourceOf(index),
      text: typeof said === 'string' ? said : '',
    })),
  );
  return bare.map((part, index) => safePart(part, texts[index] ?? ''));
}

function safePart(part: Obj, said: string): Obj {
  const safe: Record<string, unknown> = new BareObject();
  for (const name of Object.keys(part))
    safe[name] = name === 'text' && typeof part.text === 'string' ? said : redactMember(name, part[name]);
  return safe;
}

function withoutBytes(part: Obj, hasher: Hasher): Obj {
  if (typeof part.raw === 'string')
    return present({ ...part, raw: undefined, file: described(part.raw, text(part.mediaType), hasher) });
  if (isObj(part.file) && typeof part.file.bytes === 'string') {
    const { bytes, mimeType, name } = part.file;
    return { ...part, file: present({ name, ...described(bytes as string, text(mimeType), hasher) }) };
  }
  return part;
}

function described(base64: string, mediaType: string | undefined, hasher: Hasher): Record<string, unknown> {
  return present({
    media_type: mediaType,
    length: Math.floor((base64.length * 3) / 4),
    sha256_of_base64: hasher.hex(base64),
  });
}
