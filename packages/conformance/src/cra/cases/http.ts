/** Sections 6.3, 8.1 and 9.1: endpoints, credentials, media types. */
import type { Bench } from '../bench.ts';
import { CaseSkipped, type ConformanceCase, expectSame, expectThat } from '../case.ts';

type Run = (bench: Bench) => Promise<void>;
const http = (id: string, covers: readonly string[], run: Run): ConformanceCase => ({
  id,
  covers,
  area: 'HTTP',
  run,
});

export const httpConformance: readonly ConformanceCase[] = [
  http('http.health', ['R94'], async (bench) => {
    const { status, body } = await bench.send('GET', '/v1/health', undefined, { token: null });
    expectThat(
      status === 200 && ['healthy', 'degraded', 'unhealthy'].includes(body?.status),
      `answered ${status}`,
      body,
    );
  }),
  http('http.session.start', ['R86'], async (bench) => {
    const { status, body } = await bench.send('POST', '/v1/sessions', {
      agent_id: 'conformance',
      goal: 'g',
      metadata: { a: 1 },
    });
    expectSame(
      [status, body?.agent_id, body?.status, body?.goal],
      [201, 'conformance', 'active', 'g'],
      'session',
    );
    expectThat(typeof body.created_at === 'string', 'no created_at');
  }),
  ...(
    [
      ['agent_missing', { goal: 'g' }],
      ['agent_empty', { agent_id: '', goal: 'g' }],
      ['goal_missing', { agent_id: 'a' }],
    ] as const
  ).map(([name, body]) =>
    http(`http.session.${name}`, ['R86'], async (bench) => {
      expectSame((await bench.send('POST', '/v1/sessions', body)).status, 400, 'status');
    }),
  ),
  http('http.session.get', ['R87'], async (bench) => {
    const session = await bench.start();
    const { status, body } = await bench.send('GET', `/v1/sessions/${session}`);
    expectSame([status, body?.session_id, body?.status], [200, session, 'active'], 'session');
  }),
  http('http.session.unknown', ['R87'], async (bench) => {
    const { status, body } = await bench.send('GET', `/v1/sessions/${bench.id()}`);
    expectSame([status, body?.error?.code], [404, 'SESSION_NOT_FOUND'], 'answer');
  }),
  http('http.session.end', ['R88'], async (bench) => {
    const session = await bench.start();
    const reply = await bench.send('DELETE', `/v1/sessions/${session}`);
    expectSame([reply.status, reply.text], [204, ''], 'answer');
    expectSame((await bench.send('GET', `/v1/sessions/${session}`)).body?.status, 'ended', 'status');
  }),
  http('http.session.end_unknown', ['R88'], async (bench) => {
    expectSame((await bench.send('DELETE', `/v1/sessions/${bench.id()}`)).status, 404, 'status');
  }),
  http('http.session.list', ['R87'], async (bench) => {
    const session = await bench.start();
    const { body } = await bench.send('GET', '/v1/sessions?limit=100');
    expectThat(
      body?.items?.some((each: { session_id: string }) => each.session_id === session),
      'not listed',
      body,
    );
  }),
  http('http.session.own_id', ['R7'], async (bench) => {
    const id = bench.id();
    const { status, body } = await bench.send('POST', '/v1/sessions', {
      agent_id: 'conformance',
      goal: 'g',
      session_id: id,
    });
    if (status === 400) throw new CaseSkipped('takes no session_id');
    expectSame(body?.session_id, id, 'session_id');
  }),
  http('http.error_body', ['R80'], async (bench) => {
    const { body } = await bench.send('GET', `/v1/sessions/${bench.id()}`);
    expectThat(
      typeof body?.error?.code === 'string' && typeof body.error.message === 'string',
      'no error body',
      body,
    );
    expectThat(body.error.code === body.error.code.toUpperCase(), 'the code is not in upper case', body);
  }),
  ...(['/v1/sessions', '/v1/atlases', '/v1/traces/00000000-0000-0000-0000-000000000000'] as const).map(
    (path) =>
      http(`http.credential.none.${path.split('/')[2]}`, ['R102', 'R103', 'R110'], async (bench) => {
        if (bench.parts.target.token === undefined)
          throw new CaseSkipped('the server is asked without a credential');
        expectSame((await bench.send('GET', path, undefined, { token: null })).status, 401, 'status');
      }),
  ),
  http('http.credential.wrong', ['R102'], async (bench) => {
    if (bench.parts.target.token === undefined)
      throw new CaseSkipped('the server is asked without a credential');
    const { status, body } = await bench.send('GET', '/v1/sessions', undefined, {
      token: 'not-a-credential',
    });
    expectSame([status, body?.error?.code], [401, 'UNAUTHORIZED'], 'answer');
  }),
  http('http.credential.api_key', ['R103'], async (bench) => {
    const { token } = bench.parts.target;
    if (token === undefined) throw new CaseSkipped('the server is asked without a credential');
    const headers = { 'x-api-key': token };
    const { status } = await bench.send('GET', '/v1/sessions', undefined, { token: null, headers });
    expectThat(status === 200, `answered ${status}`);
  }),
  ...(
    [
      ['carp', 'POST', '/v1/resolve'],
      ['atlas', 'GET', '/v1/atlases/'],
    ] as const
  ).map(([name, method, path]) =>
    http(`http.media.${name}`, ['R112'], async (bench) => {
      await bench.loadRules([{ policy_id: 'all', type: 'allow' }], ['a.get']);
      const type = `application/vnd.cra.${name}+json`;
      const body = method === 'POST' ? bench.request(await bench.start()) : undefined;
      const target = method === 'POST' ? path : `${path}${bench.atlasId}`;
      const headers = { accept: type, ...(body && { 'content-type': type }) };
      const reply = await bench.send(method, target, body, { headers });
      expectSame(reply.status, 200, 'status');
      expectThat(
        (reply.headers.get('content-type') ?? '').includes(type),
        `content type is ${reply.headers.get('content-type')}`,
      );
    }),
  ),
  ...(['carp-request', 'carp-resolution', 'trace-event', 'atlas-manifest'] as const).map((name) =>
    http(`http.schema.${name}`, ['R97'], async (bench) => {
      const reply = await bench.send('GET', `/v1/schemas/${name}`);
      if (reply.status === 404) throw new CaseSkipped('serves no schemas');
      expectSame(reply.body?.type, 'object', 'schema');
    }),
  ),
  http('http.websocket', ['R95'], async (bench) => {
    const session = await bench.start();
    const { target } = bench.parts;
    const url = `${target.baseUrl.replace(/^http/, 'ws')}/v1/traces/stream?session_id=${session}`;
    const open = bench.parts.openSocket;
    if (!open) throw new CaseSkipped('no WebSocket client at hand');
    const [message] = await open(url, target.token, 1);
    const event = JSON.parse(message ?? 'null');
    expectSame([event?.event_type, event?.sequence], ['session.started', 0], 'first message');
  }),
];
