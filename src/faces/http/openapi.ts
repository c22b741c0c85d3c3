import { z } from 'zod';
import { keyHandlingOf, type Operation } from '../../spine/operations/define.ts';
import { jsonSchema } from '../../spine/operations/json-schema.ts';

type Schema = Record<string, unknown>;

/** What the document says of one operation: its path, and a description for each method. */
export interface DescribedOperation {
  readonly path: string;
  readonly methods: Readonly<Record<string, Schema>>;
}

/** Takes a millisecond for some: all together are worked out when the product is built, not while others wait. */
export function describeOperation(operation: Operation): DescribedOperation | undefined {
  if (!operation.http) return undefined;
  const { method, path } = operation.http;
  const methods = method === 'ANY' ? ['get', 'post'] : [method.toLowerCase()];
  return {
    path: path.replace(/\{(\w+)\*\}/g, '{$1}'),
    methods: Object.fromEntries(methods.map((each) => [each, describe(operation, each)])),
  };
}

/** OpenAPI 3.1 document of a server that has these operations. */
export function openApiDocument(described: readonly DescribedOperation[], version: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { path, methods } of described) paths[path] = { ...paths[path], ...methods };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Baton',
      version,
      summary: 'The one ledger that a team of AI agents and people works from.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: { Error: ERROR, A2pError: A2P_ERROR },
    },
  };
}

const ERROR_MEMBERS: Schema = {
  type: 'object',
  required: ['code', 'message', 'request_id'],
  properties: {
    code: { type: 'string', description: 'Stable; see the error reference.' },
    message: { type: 'string' },
    pointer: { type: 'string', description: 'JSON pointer of the fault in the body.' },
    next: { type: 'string', description: 'What to do about it.' },
    retryable: { type: 'boolean' },
    details: { type: 'object' },
    request_id: { type: 'string' },
  },
};

const ERROR: Schema = { type: 'object', required: ['error'], properties: { error: ERROR_MEMBERS } };

const A2P_ERROR: Schema = {
  type: 'object',
  required: ['success', 'error'],
  properties: { success: { const: false }, error: ERROR_MEMBERS },
};

/** What a2p puts around an answer (`wires/a2p.ts`). */
const a2pAnswer = (data: Schema): Schema => ({
  type: 'object',
  required: ['success', 'data', 'meta'],
  properties: {
    success: { const: true },
    data,
    meta: {
      type: 'object',
      required: ['requestId', 'timestamp'],
      properties: { requestId: { type: 'string' }, timestamp: { type: 'string', format: 'date-time' } },
    },
  },
});

const IDEMPOTENCY_KEY: Schema = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description: 'The same request with the same key gets its first answer; another one is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function describe(operation: Operation, method: string): Schema {
  const { input } = operation;
  const open = operation.scope === 'open';
  const keys = keyHandlingOf(operation);
  return {
    operationId:
      method === 'get' || operation.http?.method !== 'ANY' ? operation.name : `${operation.name}.${method}`,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [operation.name.split('.')[0]],
    ...(open ? { security: [] } : { 'x-scope': operation.scope }),
    parameters: [
      ...parameters(input.path, 'path'),
      ...parameters(input.query, 'query'),
      ...parameters(input.headers, 'header'),
      ...(keys === 'replayed' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(keys === 'refused' && { 'x-idempotency-key': 'refused' }),
    ...(input.body && {
      requestBody: {
        required: !(input.body instanceof z.ZodOptional),
        content: { 'application/json': { schema: jsonSchema(input.body, 'input') } },
      },
    }),
    responses: {
      [String(operation.http?.status ?? 200)]: success(operation),
      default: {
        description: `An error: ${operation.errors.length ? operation.errors.join(', ') : 'see the error reference'}.`,
        content: { 'application/json': { schema: { $ref: errorOf(operation) } } },
      },
    },
  };
}

const errorOf = ({ wire }: Operation) => `#/components/schemas/${wire === 'a2p' ? 'A2pError' : 'Error'}`;

function success(operation: Operation): Schema {
  const bare = operation.kind === 'raw' || operation.kind === 'plain' || operation.http?.status === 204;
  if (bare) return { description: operation.summary };
  const schema = jsonSchema(operation.output, 'output');
  if (operation.kind === 'stream')
    return { description: operation.summary, content: { 'text/event-stream': { schema } } };
  const answer = operation.wire === 'a2p' ? a2pAnswer(schema) : schema;
  return { description: operation.summary, content: { 'application/json': { schema: answer } } };
}

function parameters(shape: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): Schema[] {
  return Object.entries(shape?.shape ?? {}).map(([name, field]) => {
    const schema = jsonSchema(field as z.ZodType, 'input');
    const { description, ...rest } = schema;
    return {
      name,
      in: place,
      required: place === 'path' || !(field instanceof z.ZodOptional || field instanceof z.ZodDefault),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}
