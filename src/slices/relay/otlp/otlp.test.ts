import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { exportRequestFields } from './fields.ts';
import type { ExportRequest } from './model.ts';
import { decodeMessage } from './protobuf-reader.ts';
import { encodeMessage } from './protobuf-writer.ts';
import { checkSpans, readExport } from './read-export.ts';

/** OTLP's messages as their definition numbers them, for a decoder that is not ours. */
const PROTO = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  uint32 dropped_attributes_count = 10; repeated Event events = 11; uint32 dropped_events_count = 12;
  repeated Link links = 13; uint32 dropped_links_count = 14; Status status = 15; fixed32 flags = 16;
}
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
message Link { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4; uint32 dropped_attributes_count = 5; fixed32 flags = 6; }
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
`;
const independent = protobuf.parse(PROTO).root.lookupType('Request');

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const nanos = fc.bigInt({ min: 1n, max: 2n ** 62n }).map(String);
const value: fc.Arbitrary<object> = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.string().map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ intValue: String(n) })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => !Object.is(n, -0))
      .map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 9 }).map((b) => ({ bytesValue: Buffer.from(b).toString('base64') })),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: fc.string({ minLength: 1 }), value: tie('value') }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((values) => ({ kvlistValue: { values } })),
  ),
})).value;
const attributes = fc.array(fc.record({ key: fc.string({ minLength: 1 }), value }), {
  minLength: 1,
  maxLength: 4,
});
const span = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16),
  name: fc.string({ minLength: 1 }),
  kind: fc.integer({ min: 1, max: 5 }),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: fc.array(fc.record({ timeUnixNano: nanos, name: fc.string({ minLength: 1 }), attributes }), {
    minLength: 1,
    maxLength: 3,
  }),
  links: fc.array(
    fc.record({ traceId: hex(32), spanId: hex(16), flags: fc.integer({ min: 1, max: 2 ** 32 - 1 }) }),
    { minLength: 1, maxLength: 2 },
  ),
  status: fc.record({ message: fc.string({ minLength: 1 }), code: fc.integer({ min: 1, max: 2 }) }),
  flags: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
});
const request = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({ attributes }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string({ minLength: 1 }) }),
          spans: fc.array(span, { minLength: 1, maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

describe('OTLP in protobuf', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(request, (given) => {
        expect(decodeMessage(exportRequestFields, encodeMessage(exportRequestFields, given))).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });

  it('is read the same by a decoder that is not ours', () => {
    fc.assert(
      fc.property(request, (given) => {
        const decoded = independent.decode(encodeMessage(exportRequestFields, given));
        const theirs = independent.toObject(decoded, { longs: String, bytes: String });
        const ours = JSON.parse(JSON.stringify(given), (key, v) =>
          /^(traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(v, 'hex').toString('base64') : v,
        );
        expect(theirs).toEqual(ours);
      }),
      { numRuns: 60 },
    );
  });

  it('is read as another encoder writes it', async () => {
    const bytes = independent
      .encode(
        independent.fromObject({
          resourceSpans: [
            {
              scopeSpans: [
                {
                  spans: [
                    {
                      traceId: Buffer.alloc(16, 1),
                      spanId: Buffer.alloc(8, 2),
                      name: 'x',
                      kind: 2,
                      startTimeUnixNano: '1700000000000000001',
                      endTimeUnixNano: '1700000000000000002',
                    },
                  ],
                },
              ],
            },
          ],
        }),
      )
      .finish();
    expect(
      (await checkSpans(decodeMessage(exportRequestFields, bytes) as ExportRequest)).accepted[0]?.span,
    ).toMatchObject({
      traceId: '01'.repeat(16),
      startTimeUnixNano: '1700000000000000001',
    });
  });

  it('is refused, never misread, when it is broken', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(exportRequestFields, bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_otlp' });
        }
      }),
    );
  });
});

describe('spans of an export', () => {
  it('are taken one by one: those that are none are counted', async () => {
    const good = {
      traceId: 'A'.repeat(32),
      spanId: 'b'.repeat(16),
      name: 'n',
      kind: 'SPAN_KIND_SERVER',
      startTimeUnixNano: 5,
      endTimeUnixNano: '6',
    };
    const bad = [
      { ...good, traceId: '0'.repeat(32) },
      { ...good, spanId: 'x' },
      { ...good, startTimeUnixNano: '-1' },
    ];
    const checked = await checkSpans({
      resourceSpans: [{ scopeSpans: [{ spans: [good, ...bad] as never }] }],
    });
    expect(checked.rejected).toBe(3);
    expect(checked.reason).toMatch(/trace id/);
    expect(checked.accepted.map(({ span: taken }) => taken)).toMatchObject([
      { traceId: 'a'.repeat(32), kind: 2, startTimeUnixNano: '5' },
    ]);
  });

  it('are refused as a whole where the body is not what it says', async () => {
    await expect(readExport(new TextEncoder().encode('{'), 'json', null)).rejects.toMatchObject({
      code: 'invalid_otlp',
    });
    await expect(readExport(new Uint8Array([1, 2, 3]), 'protobuf', 'gzip')).rejects.toMatchObject({
      code: 'invalid_otlp',
    });
    await expect(readExport(new Uint8Array(), 'protobuf', 'br')).rejects.toMatchObject({
      code: 'invalid_otlp',
    });
  });
});
