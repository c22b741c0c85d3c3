import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { BatonError } from '../../../kernel/error.ts';
import { readPlain } from '../../../kernel/json/reader.ts';
import { relayErrors } from '../errors.ts';
import { exportRequestFields } from './fields.ts';
import type { ExportRequest } from './model.ts';
import { decodeMessage } from './protobuf-reader.ts';

export type OtlpFormat = 'protobuf' | 'json';

export const MAX_EXPORT_BYTES = 32 * 1024 * 1024;

const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) };

export function formatOf(contentType: string | null): OtlpFormat | undefined {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-protobuf') return 'protobuf';
  return type === 'application/json' ? 'json' : undefined;
}

export async function readExport(
  bytes: Uint8Array,
  format: OtlpFormat,
  coding: string | null,
): Promise<ExportRequest> {
  const plain = await unpacked(bytes, coding?.trim().toLowerCase() || 'identity');
  if (format === 'protobuf') return decodeMessage(exportRequestFields, plain) as ExportRequest;
  try {
    return readPlain(plain, { maxDepth: 100, maxBytes: MAX_EXPORT_BYTES }) as ExportRequest;
  } catch (cause) {
    if (cause instanceof BatonError) throw relayErrors.invalid_otlp({ message: cause.message, cause });
    throw cause;
  }
}

async function unpacked(bytes: Uint8Array, coding: string): Promise<Uint8Array> {
  if (coding === 'identity') return bytes;
  const unpacker = unpack[coding as keyof typeof unpack];
  if (!unpacker) throw relayErrors.invalid_otlp({ message: `The coding ${coding} is not known here.` });
  try {
    return await unpacker(bytes, { maxOutputLength: MAX_EXPORT_BYTES });
  } catch (cause) {
    throw relayErrors.invalid_otlp({
      message: 'The body cannot be unpacked, or is too large when it is.',
      cause,
    });
  }
}
