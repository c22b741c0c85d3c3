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

export type Plain = string | number | boolean | readonly string[];
export type PlainAttributes = Readonly<Record<string, Plain>>;

export function toKeyValues(attributes: PlainAttributes): KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

export function toAnyValue(value: Plain): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map(toAnyValue) } };
}

/** As a person or a query reads them; lists and maps as they are nested. */
export function fromKeyValues(list: readonly KeyValue[] | undefined): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const { key, value } of list ?? []) plain[key] = fromAnyValue(value);
  return plain;
}

export function fromAnyValue(value: AnyValue | undefined): unknown {
  if (value === undefined) return null;
  if ('stringValue' in value) return value.stringValue;
  if ('boolValue' in value) return value.boolValue;
  if ('intValue' in value) {
    const number = Number(value.intValue);
    return Number.isSafeInteger(number) ? number : value.intValue;
  }
  if ('doubleValue' in value) return value.doubleValue;
  if ('bytesValue' in value) return value.bytesValue;
  if ('arrayValue' in value) return (value.arrayValue?.values ?? []).map(fromAnyValue);
  if ('kvlistValue' in value) return fromKeyValues(value.kvlistValue?.values);
  return null;
}

export function textAttribute(list: readonly KeyValue[] | undefined, key: string): string | undefined {
  for (const entry of list ?? []) {
    if (entry.key !== key || !entry.value) continue;
    const value = fromAnyValue(entry.value);
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
  }
  return undefined;
}
