/** Section 9.1. */
export const MEDIA_TYPES = {
  carp: 'application/vnd.cra.carp+json',
  trace: 'application/vnd.cra.trace+json',
  traceLines: 'application/vnd.cra.trace+jsonl',
  atlas: 'application/vnd.cra.atlas+json',
  ndjson: 'application/x-ndjson',
} as const;

/** The protocol's own type for whoever asks for it; plain JSON for everyone else. */
export function answerType(accept: string | undefined, own: string): Record<string, string> {
  return accept?.toLowerCase().includes(own) ? { 'content-type': own } : {};
}

/** The line format that the caller asks for, if any. */
export function linesType(accept: string | null | undefined): string | undefined {
  const wanted = accept?.toLowerCase() ?? '';
  if (wanted.includes(MEDIA_TYPES.traceLines)) return MEDIA_TYPES.traceLines;
  return wanted.includes(MEDIA_TYPES.ndjson) ? MEDIA_TYPES.ndjson : undefined;
}
