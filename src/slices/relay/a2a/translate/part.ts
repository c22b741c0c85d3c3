import { asText, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';

/** 0.3 says by `kind` what a part is, 1.0 by the member that it has. */
export function partTo10(part: LooseRecord): LooseRecord {
  const common = { metadata: part.metadata };
  if (part.kind === 'text') return present({ text: part.text ?? '', ...common });
  if (part.kind === 'data') return present({ data: part.data ?? {}, ...common });
  if (part.kind === 'file' && isRecord(part.file)) {
    const { bytes, uri, mimeType, name } = part.file;
    return present({
      raw: bytes,
      url: bytes === undefined ? uri : undefined,
      mediaType: mimeType,
      filename: name,
      ...common,
    });
  }
  return part;
}

export function partTo03(part: LooseRecord): LooseRecord {
  const common = { metadata: part.metadata };
  if (typeof part.text === 'string') return present({ kind: 'text', text: part.text, ...common });
  if (part.raw !== undefined || part.url !== undefined) {
    const file = present({
      bytes: part.raw,
      uri: part.url,
      mimeType: asText(part.mediaType),
      name: asText(part.filename),
    });
    return present({ kind: 'file', file, ...common });
  }
  // 0.3 takes objects only; whatever else stands in a data part is kept under a name.
  const data = isRecord(part.data) ? part.data : { value: part.data ?? null };
  return present({ kind: 'data', data, ...common });
}
