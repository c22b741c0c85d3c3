/** OTLP's trace model in its JSON spelling: ids in hex, 64-bit numbers as decimal text. */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values?: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values?: readonly KeyValue[] } }
  /** Base64. */
  | { readonly bytesValue: string }
  | Readonly<Record<string, never>>;

export interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
}

export interface OtlpLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState?: string;
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
  readonly flags?: number;
}

export interface OtlpStatus {
  readonly message?: string;
  /** 0 unset, 1 ok, 2 error. */
  readonly code?: number;
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState?: string;
  readonly parentSpanId?: string;
  readonly flags?: number;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
  readonly events?: readonly OtlpEvent[];
  readonly droppedEventsCount?: number;
  readonly links?: readonly OtlpLink[];
  readonly droppedLinksCount?: number;
  readonly status?: OtlpStatus;
}

export interface OtlpResource {
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
}

export interface OtlpScope {
  readonly name?: string;
  readonly version?: string;
  readonly attributes?: readonly KeyValue[];
  readonly droppedAttributesCount?: number;
}

export interface ScopeSpans {
  readonly scope?: OtlpScope;
  readonly spans?: readonly OtlpSpan[];
  readonly schemaUrl?: string;
}

export interface ResourceSpans {
  readonly resource?: OtlpResource;
  readonly scopeSpans?: readonly ScopeSpans[];
  readonly schemaUrl?: string;
}

export interface ExportRequest {
  readonly resourceSpans?: readonly ResourceSpans[];
}

export interface ExportResponse {
  readonly partialSuccess?: { readonly rejectedSpans?: string; readonly errorMessage?: string };
}
