import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportRequest, OtlpSpan } from '../otlp/model.ts';
import { checkSpans } from '../otlp/read-export.ts';
import { readSpanBody, writeSpanBody } from './body.ts';
import { viewOf } from './views.ts';

const BARE = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
};

const loose = fc.jsonValue({ maxDepth: 2 });
const value = fc.oneof(
  loose,
  fc.string().map((stringValue) => ({ stringValue })),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.oneof(fc.integer(), fc.integer().map(String)).map((intValue) => ({ intValue })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((doubleValue) => ({ doubleValue })),
  loose.map((values) => ({ arrayValue: { values } })),
  loose.map((values) => ({ kvlistValue: { values } })),
);
const attributes = fc.oneof(
  loose,
  fc.array(fc.record({ key: fc.oneof(fc.string(), loose), value }, { requiredKeys: ['key'] }), {
    maxLength: 4,
  }),
);
const events = fc.oneof(
  loose,
  fc.array(fc.record({ timeUnixNano: loose, name: loose, attributes }, { requiredKeys: [] }), {
    maxLength: 3,
  }),
);
/** What anybody may send as a span: well-formed in what it must have, and anything in the rest. */
const sent = fc.record(
  { attributes, events, links: loose, status: loose, name: loose, kind: loose, parentSpanId: loose },
  { requiredKeys: [] },
);

describe('a span in the store', () => {
  it('comes back as it went, and can be shown, whatever somebody sent', async () => {
    await fc.assert(
      fc.asyncProperty(sent, loose, async (more, resource) => {
        const scopeSpans = [{ scope: resource, spans: [{ ...BARE, ...(more as object) }] }];
        const request = { resourceSpans: [{ resource, scopeSpans }] } as unknown as ExportRequest;
        const { accepted } = await checkSpans(request);
        expect(accepted).toHaveLength(1);
        const span = accepted[0]?.span as OtlpSpan;
        expect(readSpanBody(writeSpanBody(span))).toEqual(JSON.parse(JSON.stringify(span)));
        expect(() => viewOf({ seq: 1, span, originId: '', serviceName: '' })).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it('is read as well when it was written in the way of OTLP', () => {
    const span: OtlpSpan = {
      ...BARE,
      name: 'a',
      kind: 1,
      attributes: [{ key: 'k', value: { stringValue: 'v' } }, { key: 'none' }],
      events: [{ timeUnixNano: '1', name: 'e', attributes: [{ key: 'n', value: { intValue: '5' } }] }],
    };
    expect(readSpanBody(JSON.stringify(span))).toEqual(span);
    expect(readSpanBody(writeSpanBody(span))).toEqual(span);
    expect(writeSpanBody(span).length).toBeLessThan(JSON.stringify(span).length);
  });
});
