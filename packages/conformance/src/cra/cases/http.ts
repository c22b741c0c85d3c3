/** Sections 6.3, 8.1 and 9.1: endpoints, credentials, media types. */
import { assert, assertEqual, Skip } from '../../assertions.ts';
import type { Reply } from '../../target.ts';
import { ALLOW_ALL, type Bench } from '../bench.ts';
import { assertRefused, assertStatus, type ConformanceCase, http } from '../case.ts';

const INVALID_SESSIONS = {
  agent_missing: { goal: 'g' },
  agent_empty: { agent_id: '', goal: 'g' },
  goal_missing: { agent_id: 'a' },
};

function assertType(reply: Reply, type: string): void {
  assertStatus(reply, 200);
  const found = reply.headers.get('content-type');
  assert(found?.includes(type), `content type is ${found}`);
}

/** Skips the case where the run has no credential that could be missed. */
function tokenOf(bench: Bench): string {
  const { token } = bench.deps.target;
  if (token === undefined) throw new Skip('the run has no credential');
  return token;
}

export const httpConformance: readonly ConformanceCase[] = [
  http('http.health', ['R94'], async (bench) => {
    const reply = await bench.send('GET', '/v1/health', undefined, { token: null });
    assertStatus(reply, 200);
    assert(['healthy', 'degraded', 'unhealthy'].includes(reply.json?.status), 'another status', reply.json);
  }),
  http('http.session.start', ['R86'], async (bench) => {
    const session = { agent_id: 'conformance', goal: 'g', metadata: { a: 1 } };
    const { status, json } = await bench.send('POST', '/v1/sessions', session);
    const found = [status, json?.agent_id, json?.status, json?.goal];
    assertEqual(found, [201, 'conformance', 'active', 'g'], 'session');
    assert(typeof json.created_at === 'string', 'no created_at');
  }),
  ...Object.entries(INVALID_SESSIONS).map(([name, session]) =>
    http(`http.session.${name}`, ['R86'], async (bench) =>
      assertStatus(await bench.send('POST', '/v1/sessions', session), 400),
    ),
  ),
  http('http.session.get', ['R87'], async (bench) => {
    const session = await bench.start();
    const { status, json } = await bench.send('GET', `/v1/sessions/${session}`);
    assertEqual([status, json?.session_id, json?.status], [200, session, 'active'], 'session');
  }),
  http('http.session.unknown', ['R87'], async (bench) =>
    assertRefused(await bench.send('GET', `/v1/sessions/${bench.id()}`), 404, 'SESSION_NOT_FOUND'),
  ),
  http('http.session.end', ['R88'], async (bench) => {
    const session = await bench.start();
    const { status, text } = await bench.end(session);
    assertEqual([status, text], [204, ''], 'answer');
    assertEqual((await bench.send('GET', `/v1/sessions/${session}`)).json?.status, 'ended', 'status');
  }),
  http('http.session.end_unknown', ['R88'], async (bench) => assertStatus(await bench.end(bench.id()), 404)),
  http('http.session.list', ['R87'], async (bench) => {
    const session = await bench.start();
    const { json } = await bench.send('GET', '/v1/sessions?limit=100');
    const ids = json?.items?.map((each: { session_id: string }) => each.session_id);
    assert(ids?.includes(session), 'the session is not listed', json);
  }),
  http('http.session.own_id', ['R7'], async (bench) => {
    const session_id = bench.id();
    const session = { agent_id: 'conformance', goal: 'g', session_id };
    const { status, json } = await bench.send('POST', '/v1/sessions', session);
    if (status === 400) throw new Skip('the server accepts no session_id');
    assertEqual(json?.session_id, session_id, 'session_id');
  }),
  http('http.error_body', ['R80'], async (bench) => {
    const { json } = await bench.send('GET', `/v1/sessions/${bench.id()}`);
    const { code, message } = json?.error ?? {};
    assert(typeof code === 'string' && typeof message === 'string', 'no error with code and message', json);
    assert(code === code.toUpperCase(), 'the code is not in upper case', json);
  }),
  ...(['/v1/sessions', '/v1/atlases', '/v1/traces/00000000-0000-0000-0000-000000000000'] as const).map(
    (path) =>
      http(`http.credential.none.${path.split('/')[2]}`, ['R102', 'R103', 'R110'], async (bench) => {
        tokenOf(bench);
        assertStatus(await bench.send('GET', path, undefined, { token: null }), 401);
      }),
  ),
  http('http.credential.wrong', ['R102'], async (bench) => {
    tokenOf(bench);
    const reply = await bench.send('GET', '/v1/sessions', undefined, { token: 'not-a-credential' });
    assertRefused(reply, 401, 'UNAUTHORIZED');
  }),
  http('http.credential.api_key', ['R103'], async (bench) => {
    const headers = { 'x-api-key': tokenOf(bench) };
    assertStatus(await bench.send('GET', '/v1/sessions', undefined, { token: null, headers }), 200);
  }),
  http('http.media.carp', ['R112'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], ['a.get']);
    const type = 'application/vnd.cra.carp+json';
    const headers = { accept: type, 'content-type': type };
    const request = bench.request(await bench.start());
    assertType(await bench.send('POST', '/v1/resolve', request, { headers }), type);
  }),
  http('http.media.atlas', ['R112'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], ['a.get']);
    const type = 'application/vnd.cra.atlas+json';
    const headers = { accept: type };
    assertType(await bench.send('GET', `/v1/atlases/${bench.atlasId}`, undefined, { headers }), type);
  }),
  ...(['carp-request', 'carp-resolution', 'trace-event', 'atlas-manifest'] as const).map((name) =>
    http(`http.schema.${name}`, ['R97'], async (bench) => {
      const reply = await bench.send('GET', `/v1/schemas/${name}`);
      if (reply.status === 404) throw new Skip('the server publishes no schemas');
      assertEqual(reply.json?.type, 'object', 'schema');
    }),
  ),
  http('http.websocket', ['R95'], async (bench) => {
    const session = await bench.start();
    const { target } = bench.deps;
    const url = `${target.url.replace(/^http/, 'ws')}/v1/traces/stream?session_id=${session}`;
    const open = bench.deps.openSocket;
    if (!open) throw new Skip('no WebSocket client is available');
    const [message] = await open(url, target.token, 1);
    const event = JSON.parse(message ?? 'null');
    assertEqual([event?.event_type, event?.sequence], ['session.started', 0], 'first message');
  }),
];
