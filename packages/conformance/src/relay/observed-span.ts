/** A finished span as a backend answers it to a query: all that the checks look at. */
export interface ObservedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly name: string;
  /** Of one width and in UTC, so that their order is the order of the text. */
  readonly start: string;
  readonly end: string;
  readonly status: 'unset' | 'ok' | 'error';
  readonly status_message?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

export function textAt(span: Pick<ObservedSpan, 'attributes'>, key: string): string {
  const value = span.attributes[key];
  return typeof value === 'string' ? value : '';
}
