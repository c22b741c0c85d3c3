/** What of a message may stand in a span: raw bytes never, secrets masked, or nothing at all. */
import type { Hasher } from '../../../kernel/hasher.ts';
import { BareObject } from '../../../kernel/json/bare-object.ts';
import { asText, isRecord, type LooseRecord, present } from '../../../kernel/json/loose.ts';
import { cappedParts } from './capped-parts.ts';
import { redactMember } from './redact.ts';
import { redactPieces } from './redact-pieces.ts';

export type ContentMode = 'full' | 'redacted' | 'none';

export interface ContentPolicy {
  readonly mode: ContentMode;
  readonly hideInputs: boolean;
  readonly hideOutputs: boolean;
}

export const DEFAULT_CONTENT: ContentPolicy = { mode: 'redacted', hideInputs: false, hideOutputs: false };

/** Parts as a span may show them. */
export interface SafeParts {
  readonly parts: readonly LooseRecord[];
  /** How many characters of their texts are more than a span takes. */
  readonly cut: number;
}

/** Texts are looked through as one, each with those of the same source, so that none hides half a secret. */
export function safeParts(parts: readonly LooseRecord[], mode: ContentMode, hasher: Hasher): SafeParts {
  const { parts: bare, cut } = cappedParts(parts.map((part) => withoutBytes(part, hasher)));
  return { parts: withoutSecrets(bare, mode, () => ''), cut };
}

/** Parts that have no bytes and are not too long any more. */
export function withoutSecrets(
  bare: readonly LooseRecord[],
  mode: ContentMode,
  sourceOf: (index: number) => string,
): readonly LooseRecord[] {
  if (mode === 'full') return bare;
  const texts = redactPieces(
    bare.map(({ text: said }, index) => ({
      source: sourceOf(index),
      text: typeof said === 'string' ? said : '',
    })),
  );
  return bare.map((part, index) => safePart(part, texts[index] ?? ''));
}

function safePart(part: LooseRecord, said: string): LooseRecord {
  const safe: Record<string, unknown> = new BareObject();
  for (const name of Object.keys(part))
    safe[name] = name === 'text' && typeof part.text === 'string' ? said : redactMember(name, part[name]);
  return safe;
}

/** In place of the bytes of a file, what they are. */
export function withoutBytes(part: LooseRecord, hasher: Hasher): LooseRecord {
  if (typeof part.raw === 'string')
    return present({ ...part, raw: undefined, file: described(part.raw, asText(part.mediaType), hasher) });
  if (isRecord(part.file) && typeof part.file.bytes === 'string') {
    const { bytes, mimeType, name } = part.file;
    return { ...part, file: present({ name, ...described(bytes as string, asText(mimeType), hasher) }) };
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
