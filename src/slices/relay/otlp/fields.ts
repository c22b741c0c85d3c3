/** The fields of OTLP's trace messages as data: number, name, type. Encoder and decoder walk these tables. */
export type Scalar =
  | 'string'
  | 'hex'
  | 'base64'
  | 'uint32'
  | 'fixed32'
  | 'int64'
  | 'fixed64'
  | 'double'
  | 'bool'
  | 'enum';

/** How protobuf frames each of them: 0 varint, 1 eight bytes, 2 length first, 5 four bytes. */
export const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  uint32: 0,
  int64: 0,
  bool: 0,
  enum: 0,
  fixed64: 1,
  double: 1,
  string: 2,
  hex: 2,
  base64: 2,
  fixed32: 5,
};

export interface Field {
  readonly name: string;
  readonly type: Scalar | (() => Message);
  readonly repeated?: boolean;
  /** A oneof member: written even where it has its default. */
  readonly oneof?: boolean;
}

export type Message = Readonly<Record<number, Field>>;

const keyValue: Message = {
  1: { name: 'key', type: 'string' },
  2: { name: 'value', type: () => anyValue },
};
const attributes: Field = { name: 'attributes', type: () => keyValue, repeated: true };
const dropped: Field = { name: 'droppedAttributesCount', type: 'uint32' };

const anyValue: Message = {
  1: { name: 'stringValue', type: 'string', oneof: true },
  2: { name: 'boolValue', type: 'bool', oneof: true },
  3: { name: 'intValue', type: 'int64', oneof: true },
  4: { name: 'doubleValue', type: 'double', oneof: true },
  5: {
    name: 'arrayValue',
    type: () => ({ 1: { name: 'values', type: () => anyValue, repeated: true } }),
    oneof: true,
  },
  6: {
    name: 'kvlistValue',
    type: () => ({ 1: { name: 'values', type: () => keyValue, repeated: true } }),
    oneof: true,
  },
  7: { name: 'bytesValue', type: 'base64', oneof: true },
};

const event: Message = {
  1: { name: 'timeUnixNano', type: 'fixed64' },
  2: { name: 'name', type: 'string' },
  3: attributes,
  4: dropped,
};

const link: Message = {
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  3: { name: 'traceState', type: 'string' },
  4: attributes,
  5: dropped,
  6: { name: 'flags', type: 'fixed32' },
};

const span: Message = {
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  3: { name: 'traceState', type: 'string' },
  4: { name: 'parentSpanId', type: 'hex' },
  5: { name: 'name', type: 'string' },
  6: { name: 'kind', type: 'enum' },
  7: { name: 'startTimeUnixNano', type: 'fixed64' },
  8: { name: 'endTimeUnixNano', type: 'fixed64' },
  9: attributes,
  10: { name: 'droppedAttributesCount', type: 'uint32' },
  11: { name: 'events', type: () => event, repeated: true },
  12: { name: 'droppedEventsCount', type: 'uint32' },
  13: { name: 'links', type: () => link, repeated: true },
  14: { name: 'droppedLinksCount', type: 'uint32' },
  15: {
    name: 'status',
    type: () => ({ 2: { name: 'message', type: 'string' }, 3: { name: 'code', type: 'enum' } }),
  },
  16: { name: 'flags', type: 'fixed32' },
};

const scope: Message = {
  1: { name: 'name', type: 'string' },
  2: { name: 'version', type: 'string' },
  3: attributes,
  4: dropped,
};

const scopeSpans: Message = {
  1: { name: 'scope', type: () => scope },
  2: { name: 'spans', type: () => span, repeated: true },
  3: { name: 'schemaUrl', type: 'string' },
};

const resourceSpans: Message = {
  1: { name: 'resource', type: () => ({ 1: attributes, 2: dropped }) },
  2: { name: 'scopeSpans', type: () => scopeSpans, repeated: true },
  3: { name: 'schemaUrl', type: 'string' },
};

export const exportRequestFields: Message = {
  1: { name: 'resourceSpans', type: () => resourceSpans, repeated: true },
};

const logRecord: Message = {
  1: { name: 'timeUnixNano', type: 'fixed64' },
  2: { name: 'severityNumber', type: 'enum' },
  3: { name: 'severityText', type: 'string' },
  5: { name: 'body', type: () => anyValue },
  6: attributes,
  11: { name: 'observedTimeUnixNano', type: 'fixed64' },
  12: { name: 'eventName', type: 'string' },
};

const resource: Field = { name: 'resource', type: () => ({ 1: attributes, 2: dropped }) };

export const logsRequestFields: Message = {
  1: {
    name: 'resourceLogs',
    type: () => ({
      1: resource,
      2: {
        name: 'scopeLogs',
        type: () => ({ 2: { name: 'logRecords', type: () => logRecord, repeated: true } }),
        repeated: true,
      },
    }),
    repeated: true,
  },
};

const dataPoint: Message = {
  3: { name: 'timeUnixNano', type: 'fixed64' },
  4: { name: 'asDouble', type: 'double', oneof: true },
  6: { name: 'asInt', type: 'fixed64', oneof: true },
  7: attributes,
};
const dataPoints: Field = { name: 'dataPoints', type: () => dataPoint, repeated: true };

const metric: Message = {
  1: { name: 'name', type: 'string' },
  5: { name: 'gauge', type: () => ({ 1: dataPoints }) },
  7: {
    name: 'sum',
    type: () => ({ 1: dataPoints, 2: { name: 'aggregationTemporality', type: 'enum' } }),
  },
};

export const metricsRequestFields: Message = {
  1: {
    name: 'resourceMetrics',
    type: () => ({
      1: resource,
      2: {
        name: 'scopeMetrics',
        type: () => ({ 2: { name: 'metrics', type: () => metric, repeated: true } }),
        repeated: true,
      },
    }),
    repeated: true,
  },
};

export const exportResponseFields: Message = {
  1: {
    name: 'partialSuccess',
    type: () => ({
      1: { name: 'rejectedSpans', type: 'int64' },
      2: { name: 'errorMessage', type: 'string' },
    }),
  },
};

/** google.rpc.Status: how OTLP/HTTP says what was wrong. */
export const rpcStatusFields: Message = {
  1: { name: 'code', type: 'enum' },
  2: { name: 'message', type: 'string' },
};
