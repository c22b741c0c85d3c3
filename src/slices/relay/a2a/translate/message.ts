import { asRecords, asText, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';

export function messageTo10(message: LooseRecord): LooseRecord {
  const { kind: _, role, parts, ...rest } = message;
  return present({
    ...rest,
    role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER',
    parts: asRecords(parts).map(partTo10),
  });
}

export function messageTo03(message: LooseRecord): LooseRecord {
  const { role, parts, contextId, taskId, ...rest } = message;
  return present({
    kind: 'message',
    ...rest,
    contextId: asText(contextId),
    taskId: asText(taskId),
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: asRecords(parts).map(partTo03),
  });
}

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
