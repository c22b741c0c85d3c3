/** Spans for the tests of the stores: each number is a span of its own. */
import { nodeHasher } from '../../../platform/index.ts';
import { type OtlpSpan, type PlainAttributes, toKeyValues } from '../otlp/model.ts';
import { type NewSpan, originOf } from './store.ts';

export const PROJECT = 'p1';
export const testOrigin = originOf(
  { attributes: toKeyValues({ 'service.name': 'tested' }) },
  { name: 'store-tests' },
  nodeHasher,
);

export function newSpan(span: OtlpSpan, storedMicros: number, projectId = PROJECT): NewSpan {
  return { projectId, originId: testOrigin.id, span, storedMicros };
}

export interface TestSpanOptions {
  readonly attributes?: PlainAttributes;
  readonly traceId?: string;
  readonly failed?: boolean;
}

export function testSpan(number: number, options: TestSpanOptions = {}): OtlpSpan {
  return {
    traceId: options.traceId ?? 'a'.repeat(32),
    spanId: number.toString(16).padStart(16, '0'),
    name: `span ${number}`,
    kind: 1,
    startTimeUnixNano: `${number}000000`,
    endTimeUnixNano: `${number + 1}000000`,
    attributes: toKeyValues(options.attributes ?? {}),
    status: options.failed ? { code: 2, message: 'broken' } : {},
  };
}
