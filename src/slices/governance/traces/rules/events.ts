/** An event as far as rules over traces look at it; read events and stored ones both fit. */
export interface TraceRecord {
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly span_id?: string;
  readonly session_id?: string;
  readonly sequence?: number;
  readonly timestamp?: string;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
