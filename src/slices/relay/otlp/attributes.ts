import type { AnyValue, KeyValue } from './model.ts';

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
