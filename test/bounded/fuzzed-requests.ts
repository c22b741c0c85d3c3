import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { z } from 'zod';
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { arbitraryFor } from '../setup/arbitrary.ts';

/** Everything that a request on a connection consists of. */
export interface FuzzedRequest {
  /** What it was made for, so that a failure says more than its bytes. */
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly chunked: boolean;
}

const words = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '9'.repeat(40),
  'x'.repeat(3000),
  '\u202e\u200b\u2066',
  '{"a":1}',
  '-1',
  '1e309',
  '%',
  '%zz',
  '%00',
  '\ud83d\ude00'.repeat(20),
  'a\u0301'.repeat(200),
  'İıſK',
  '0123456789abcdef'.repeat(500),
  'a.'.repeat(2000),
  '\u001b[31m',
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.constantFrom<unknown>(null, true, -0, 1e308, -1e308, Number.MAX_SAFE_INTEGER + 2, 0.1 + 0.2, [], {}, [
    [[[[]]]],
  ]),
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer({ min: 1, max: 4 }).map((size) => Array.from({ length: 10 ** size }, (_, at) => at)),
  fc.integer({ min: 1, max: 5 }).map((size) => 'word '.repeat(10 ** size / 5)),
);

/** One value somewhere inside replaced, added, or taken away. */
function mutated(value: unknown, path: readonly number[], by: unknown): unknown {
  const [first = 0, ...rest] = path;
  if (path.length === 0 || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return Array.isArray(value) ? [by] : { extra: by };
  const key = keys[first % keys.length] as string;
  const inner = (value as Record<string, unknown>)[key];
  const changed = mutated(inner, rest, by);
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? changed : item));
  return { ...value, [key]: changed };
}

/** JSON that no serializer writes. */
const strangeText = fc.constantFrom(
  '',
  '{',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  'null',
  '[]',
  '0',
  '""',
  'NaN',
  '{"a":1e999}',
  '{"a":-1e-999}',
  '{"a":123456789012345678901234567890.12345678901234567890}',
  `{"a":${'9'.repeat(5000)}}`,
  '{"a":"\\ud800"}',
  '{"\\udfff":1}',
  '{"a":"\\u0000"}',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{${Array.from({ length: 5000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  `[${'0,'.repeat(20_000)}0]`,
  '{"\u00e9":1,"e\u0301":2}',
  '\u2028\u2029{}',
);
const strangeBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    Uint8Array.from([0xc0, 0x80]),
    new Uint8Array(5 * 1024 * 1024).fill(0x20),
    gzipSync(new Uint8Array(40 * 1024 * 1024)),
  ),
);

const encoder = new TextEncoder();
const jsonBody = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((each) => encoder.encode(JSON.stringify(each) ?? '')) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(value, fc.array(fc.nat(20), { maxLength: 4 }), hostileValue)
        .map(([each, path, by]) => encoder.encode(JSON.stringify(mutated(each, path, by)) ?? '')),
    },
    { weight: 2, arbitrary: strangeText.map((text) => encoder.encode(text)) },
    { weight: 1, arbitrary: strangeBytes },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.nat())
        .map(([each, cut]) => encoder.encode(JSON.stringify(each) ?? '').slice(0, cut % 500)),
    },
  );

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant<string | undefined>('application/json') },
  fc.constantFrom<string | undefined>(
    undefined,
    'text/plain',
    'application/x-protobuf',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/',
    '/',
    'a/b;'.repeat(200),
    'application/vnd.agent+json',
  ),
);
const junkHeaders = fc.dictionary(
  fc.constantFrom(
    'x-request-id',
    'idempotency-key',
    'accept',
    'last-event-id',
    'traceparent',
    'tracestate',
    'if-match',
    'if-none-match',
    'origin',
    'cookie',
    'a2a-version',
    'a2a-extensions',
    'mcp-session-id',
    'mcp-method',
    'mcp-protocol-version',
    'content-encoding',
    'x-api-key',
    'x-a2p-signature',
    'a2p-signature',
    'x-forwarded-for',
    'range',
    'expect',
    'upgrade',
    'x-junk',
  ),
  fc.oneof(
    fc.string({ maxLength: 60, unit: fc.constantFrom(...'abcXYZ019-_.,;:/=*"{}[]()\\%\u00e9 ') }),
    fc.constantFrom(
      'gzip',
      'deflate',
      'text/event-stream',
      '*/*;q=nan',
      'bytes=0-99999999',
      'x'.repeat(6000),
      '-1',
      '1e99',
    ),
  ),
  { maxKeys: 2 },
);
/** What would keep the request from being one at all belongs to the raw connections. */
const UNUSABLE: ReadonlySet<string> = new Set(['expect', 'upgrade']);

export interface Credentials {
  readonly owner: string;
  readonly agent: string;
}

function credential({ owner, agent }: Credentials): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant({ authorization: `Bearer ${owner}`, 'x-baton-key': owner }) },
    { weight: 4, arbitrary: fc.constant({ authorization: `Bearer ${agent}`, 'x-baton-key': agent }) },
    fc.constantFrom<Record<string, string>>(
      {},
      { authorization: 'Bearer' },
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer a.b.c' },
      { authorization: `Bearer ${'a.'.repeat(3000)}` },
      { cookie: 'baton_session=AAAA' },
    ),
  );
}

function field(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: arbitraryFor(schema) }, words);
}

function fieldsOf(schema: z.ZodObject | undefined): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>);
  return fc.record(Object.fromEntries(fields.map(([name, each]) => [name, field(each)])), {
    requiredKeys: [],
  });
}

/** Lone surrogates cannot be encoded, and are sent as an escape that cannot be decoded. */
function segment(value: unknown): string {
  try {
    return encodeURIComponent(String(value));
  } catch {
    return '%ed%a0%80';
  }
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query)
    // A long-poll that waits is no hang; the fuzzer does not wait for it.
    .filter(([name, value]) => value !== undefined && name !== 'wait')
    .map(([name, value]) => `${segment(name)}=${segment(value)}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

const METHODS = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND');

function requestTo(operation: Operation, credentials: Credentials): fc.Arbitrary<FuzzedRequest> {
  const { input, http, name } = operation;
  const usual = http?.method === 'ANY' || http === undefined ? 'POST' : http.method;
  const body = input.body ? jsonBody(arbitraryFor(input.body as z.ZodType)) : jsonBody(hostileValue);
  return fc
    .record({
      method: fc.oneof({ weight: 20, arbitrary: fc.constant(usual) }, METHODS),
      path: fieldsOf(input.path),
      query: fieldsOf(input.query),
      own: fieldsOf(input.headers),
      junk: junkHeaders,
      type: contentType,
      credential: credential(credentials),
      body: fc.oneof({ weight: 8, arbitrary: body }, fc.constant(undefined)),
      chunked: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    })
    .map(({ method, path, query, own, junk, type, credential: by, body: bytes, chunked }) => {
      const filled = (http?.path ?? '/').replace(/\{(\w+)\*?\}/g, (_, part: string) =>
        segment(path[part] ?? 'x'),
      );
      const sends = bytes !== undefined && method !== 'GET' && method !== 'HEAD';
      return {
        label: name,
        method,
        path: `${filled}${queryText(query)}`,
        headers: {
          ...headersOf(own),
          ...headersOf(junk),
          ...(type !== undefined && { 'content-type': type }),
          ...by,
        },
        body: sends ? bytes : undefined,
        chunked: sends && chunked,
      };
    });
}

/** Only what a header may have: the rest is for the raw connections. */
function headersOf(given: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => value !== undefined && !UNUSABLE.has(name))
      .map(([name, value]) => [
        name,
        String(value)
          .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
          .slice(0, 7000),
      ]),
  );
}

/** Tools are called with flat arguments, through one address. */
function mcpCalls(credentials: Credentials): fc.Arbitrary<FuzzedRequest> {
  const offered = (Object.values(operations) as Operation[]).filter(({ mcp }) => mcp);
  const call = fc.constantFrom(...offered).chain((operation) => {
    const flat = fc
      .tuple(
        fieldsOf(operation.input.path),
        fieldsOf(operation.input.query),
        operation.input.body ? arbitraryFor(operation.input.body as z.ZodType) : fc.constant({}),
      )
      .map(([path, query, body]) => ({
        ...(typeof body === 'object' && body !== null ? body : { body }),
        ...query,
        ...path,
        action: operation.mcp?.action,
      }));
    return fc.record({ name: fc.constant(operation.mcp?.tool ?? ''), arguments: flat });
  });
  const message = fc.record({
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '1.0', null),
    id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), fc.constant(null)),
    method: fc.constantFrom(
      'tools/call',
      'tools/call',
      'tools/list',
      'resources/read',
      'initialize',
      'ping',
      'junk',
    ),
    params: fc.oneof({ weight: 5, arbitrary: call as fc.Arbitrary<unknown> }, hostileValue),
  });
  return fc
    .record({ by: credential(credentials), body: jsonBody(message), junk: junkHeaders })
    .map(({ by, body, junk }) => ({
      label: 'mcp',
      method: 'POST',
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headersOf(junk),
        ...by,
      },
      body,
      chunked: false,
    }));
}

/** Messages between agents, spans, and addresses that lead nowhere. */
function otherAddresses(credentials: Credentials): fc.Arbitrary<FuzzedRequest> {
  const path = fc.oneof(
    fc.constantFrom(
      '/a2a/-',
      '/a2a/nobody',
      '/a2a/~/x/v1/card',
      '/a2a/-/message:send',
      '/a2a/nobody/tasks/%zz',
      '/a2a/nobody/v1/message:stream',
      '/v1/traces',
      '/.well-known/agent-card.json',
      '/agent-channel/x',
      '/%zz.js',
      '/assets/..%2f..%2fpackage.json',
      '//v1/health',
      '/v1/../v1/health',
      '/v1/health/',
      '/V1/HEALTH',
      `/${'a/'.repeat(2000)}`,
      `/v1/health?${'a=1&'.repeat(2000)}`,
      '/v1/health?a[b]=1&a[b]=2&%zz=%zz',
      '/conform',
      '/openapi.json',
    ),
    fc.string({ maxLength: 30, unit: fc.constantFrom(...'/ab.%2e~;:@!$&()*+,=?') }).map((text) => `/${text}`),
  );
  const rpc = fc.record({
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.constant(null)),
    method: fc.constantFrom(
      'message/send',
      'message/stream',
      'SendMessage',
      'tasks/get',
      'GetTask',
      'tasks/list',
      'x',
    ),
    params: fc.record({
      message: fc.record(
        {
          messageId: words,
          role: fc.constantFrom('user', 'ROLE_USER', 7),
          parts: fc.array(fc.record({ kind: fc.constant('text'), text: words }), { maxLength: 3 }),
          contextId: words,
          metadata: hostileValue,
        },
        { requiredKeys: [] },
      ),
      id: words,
    }),
  });
  return fc
    .record({
      method: fc.oneof({ weight: 4, arbitrary: fc.constant('POST') }, METHODS),
      path,
      by: credential(credentials),
      type: contentType,
      junk: junkHeaders,
      body: fc.oneof(jsonBody(rpc), jsonBody(hostileValue), strangeBytes),
      chunked: fc.boolean(),
    })
    .map(({ method, path: target, by, type, junk, body, chunked }) => ({
      label: target.slice(0, 40),
      method,
      path: target,
      headers: { ...headersOf(junk), ...(type !== undefined && { 'content-type': type }), ...by },
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
      chunked,
    }));
}

/** Requests to every operation and to every address beside them. */
export function fuzzedRequests(credentials: Credentials): fc.Arbitrary<FuzzedRequest> {
  const each = (Object.values(operations) as Operation[])
    .filter(({ http }) => http)
    .map((operation) => requestTo(operation, credentials));
  return fc.oneof(
    { weight: 8, arbitrary: fc.nat(each.length - 1).chain((at) => each[at] as fc.Arbitrary<FuzzedRequest>) },
    { weight: 1, arbitrary: mcpCalls(credentials) },
    { weight: 2, arbitrary: otherAddresses(credentials) },
  );
}

/** What is no request, or only the beginning of one: sent as it stands, and then the connection is closed. */
export const RAW_CONNECTIONS: readonly string[] = [
  '\u0000\u0001garbage\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET http://other/ HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET * HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'CONNECT localhost:1 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: localhost\r\n${'x: y\r\n'.repeat(3_000)}\r\n`,
  'GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: localhost\r\nexpect: 200-maybe\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /v1/events/stream HTTP/1.1\r\nhost: localhost\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  'POST /v1/keys HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v1/keys HTTP/1.1\r\nhost: localhost\r\ncontent-length: -5\r\n\r\n',
  'POST /v1/keys HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\ncontent-type: application/json\r\n\r\n{"a"',
  'POST /v1/keys HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  'POST /v1/keys HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffff\r\n',
  'POST /a2a/- HTTP/1.1\r\nhost: [::1]:1\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{',
  'PUT /v1/projects/default/blobs HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\nx',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];
