/** Captured messages that are sent again: over sockets, to agents of the official SDK and to hostile ones. */
import { AgentCard } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionOf, manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import type { TestServer } from '../setup/server.ts';
import { replayWorld, startServerOn } from './replay-world.ts';
import { type RpcAgent, startRpcAgent } from './rpc-agent.ts';
import { say, sdkClient } from './sdk-client.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

const CROWD = process.env.BATON_PROVE === '1' ? 1_000 : 60;

describeOnEachEngine('a replay', (open) => {
  let server: TestServer;
  let peer: SdkPeer;
  let newer: SdkPeer;
  let agent: RpcAgent;
  let world: ReturnType<typeof replayWorld>;
  let names = 0;
  beforeAll(async () => {
    server = await startServerOn(open, { BATON_RELAY_GRPC_PORT: '0' });
    world = replayWorld(server);
    peer = await startSdkPeer('0.3');
    newer = await startSdkPeer('1.0');
    agent = await startRpcAgent();
    await register('echo', peer.url);
    await register('echo-2', newer.url);
    await register('agent', agent.url);
  });
  afterAll(async () => {
    await server.close();
    for (const one of [peer, newer, agent]) await one.close();
  });

  const register = (id: string, url: string, settings: object = {}) =>
    server.client.call('relay.peer.register', { id, url, ...settings });
  const fresh = (word: string) => `${word}-${names++}`;

  it('sends the same words in a conversation of its own, and finds nothing changed', async () => {
    const session_id = fresh('same');
    await world.send('echo', 'hello there', session_id, { metadata: { mood: 'calm', 'agent.id': 'owner' } });
    const [original] = await world.captured(session_id);
    const page = await world.replayed({ session_id });
    expect(page).toMatchObject({ state: 'ended', messages: 1, sent: 1, skipped: 0 });
    const [step] = page.steps;
    expect(step).toMatchObject({ state: 'sent', exact: true, compared: { changes: [] } });
    expect(step?.compared?.replayed).toMatchObject({
      state: 'completed',
      text: 'echo: hello there!',
      artifacts: 1,
    });
    const [first, second] = peer.bodies.slice(-2).map((body) => JSON.parse(body).params.message);
    expect(second.parts).toEqual(first.parts);
    expect(second.metadata).toEqual({ mood: 'calm', 'agent.id': 'owner', 'agent.target': 'echo' });
    expect(second.messageId).not.toBe(first.messageId);
    expect(second.contextId).not.toBe(session_id);
    expect(page.contexts).toEqual([{ original: session_id, replayed: second.contextId }]);
    // Said wherever somebody looks: in the new span, its links, and why it is there.
    const again = (await world.captured(second.contextId)).at(-1);
    expect(again?.attributes).toMatchObject({
      'o2r.replay.id': page.replay_id,
      'o2r.replay.of_span_id': original?.span_id,
    });
    const why = await server.client.call('why.explain', { id: again?.span_id ?? '' });
    expect(JSON.stringify(why)).toContain(`"replay of"`);
    expect(JSON.stringify(why)).toContain(original?.span_id);
  });

  it('shows what another version of the agent does otherwise', async () => {
    const session_id = fresh('other');
    agent.instead = (request, response) => {
      void request;
      const parts = [
        { kind: 'text', text: 'one\ntwo\nthree' },
        { kind: 'data', data: { n: 1 } },
      ];
      const result = {
        ...{ kind: 'task', id: fresh('t'), contextId: session_id, status: { state: 'completed' } },
        artifacts: [{ artifactId: 'a', parts }],
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
      return true;
    };
    await world.send('agent', 'count', session_id);
    agent.instead = () => false;
    await world.captured(session_id);
    const { steps } = await world.replayed({ session_id, to: ['echo-2'] });
    expect(steps[0]).toMatchObject({ agent: 'agent', to: 'echo-2' });
    expect(steps[0]?.compared?.changes).toEqual(['text', 'parts']);
    expect(steps[0]?.compared?.text_diff).toEqual([
      { op: 'removed', text: 'one' },
      { op: 'removed', text: 'two' },
      { op: 'removed', text: 'three' },
      { op: 'added', text: 'echo: count!' },
    ]);
  });

  it('compares a stream piece by piece', async () => {
    const session_id = fresh('stream');
    await world.send('echo', 'pieces', session_id, {}, 'message/stream');
    await world.captured(session_id);
    const page = await world.replayed({ session_id });
    expect(page.steps[0]?.compared?.changes).toEqual([]);
    const step = await server.client.call('relay.replay.step', { replay_id: page.replay_id, number: 1 });
    expect(
      step.compared?.pieces?.map(({ same, original, replayed }) => [same, original?.text, replayed?.text]),
    ).toEqual([
      [true, 'echo: ', 'echo: '],
      [true, 'pieces', 'pieces'],
      [true, '!', '!'],
    ]);
  });

  it('continues the task that stands for the original one, and none that is real', async () => {
    const session_id = fresh('continued');
    const { id: taskId } = await world.send('echo', 'ask me', session_id);
    await world.send('echo', 'this one', session_id, { taskId });
    await world.captured(session_id, 2);
    const { steps } = await world.replayed({ session_id });
    expect(steps.map(({ state, compared }) => [state, compared?.changes])).toEqual([
      ['sent', []],
      ['sent', []],
    ]);
    const last = JSON.parse(peer.bodies.at(-1) ?? '').params.message;
    expect(last.taskId).toBeDefined();
    expect(last.taskId).not.toBe(taskId);
    // By itself the second message has no task to go on with.
    const second = (await world.captured(session_id, 2)).at(-1);
    const alone = await server.client.call('relay.replay.plan', {
      trace_id: second?.trace_id ?? '',
      span_id: second?.span_id,
    });
    expect(alone.steps[0]).toMatchObject({ sent: false, reason: 'unknown_task' });
    // And where the counterpart is over already, nothing is sent into it.
    agent.instead = () => false;
    const over = await world.replayed({ session_id, to: ['echo=agent'] });
    expect(over.steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['sent', undefined],
      ['skipped', 'task_over'],
    ]);
  });

  it('says what it cannot send, and sends masked secrets only when told to', async () => {
    const session_id = fresh('kept');
    await world.send('echo', 'the key is sk-abcdefghijklmnopqrstuvwx1234', session_id);
    await world.send('echo', 'x'.repeat(300_000), session_id);
    await world.send('echo', 'see', session_id, {
      parts: [
        { kind: 'text', text: 'see' },
        { kind: 'file', file: { bytes: btoa('binary'), mimeType: 'image/png' } },
      ],
    });
    await world.captured(session_id, 3);
    const reasons = async (altered?: boolean) =>
      (await server.client.call('relay.replay.plan', { session_id, ...(altered && { altered }) })).steps.map(
        ({ reason }) => reason,
      );
    expect(await reasons()).toEqual(['masked', 'cut', 'file_not_kept']);
    expect(await reasons(true)).toEqual([undefined, 'cut', 'file_not_kept']);
    const seen = peer.bodies.length;
    const page = await world.replayed({ session_id, altered: true });
    expect(page).toMatchObject({ state: 'ended', sent: 1, skipped: 2 });
    expect(peer.bodies).toHaveLength(seen + 1);
    expect(peer.bodies.at(-1)).toContain('__REDACTED__');
    expect(page.steps[0]).toMatchObject({ exact: false });
  });

  it('is decided again, and refused where policy refuses', async () => {
    const session_id = fresh('governed');
    await register('strict', peer.url);
    await world.send('strict', 'hello', session_id);
    await world.captured(session_id);
    await register('strict', peer.url, { governed_action: 'peer.order' });
    await server.client.call('atlas.load', {
      manifest: manifestOf({
        actions: [actionOf('peer.order')],
        policies: [{ policy_id: 'order', type: 'deny', actions: ['peer.order'] }],
      }),
    });
    const plan = await server.client.call('relay.replay.plan', { session_id });
    expect(plan.steps[0]).toMatchObject({ governed: true, sent: true });
    const seen = peer.bodies.length;
    const { steps } = await world.replayed({ session_id });
    expect(peer.bodies).toHaveLength(seen);
    expect(steps[0]?.compared?.changes).toContain('error');
    expect(steps[0]?.compared?.replayed?.error).toMatchObject({
      failure_class: 'governance_refused',
      code: -32010,
    });
  });

  it('leaves no package, although the agent is registered to leave one', async () => {
    const session_id = fresh('deposit');
    await register('depositing', peer.url, { deposit: true });
    await world.send('depositing', 'hello', session_id);
    await world.captured(session_id);
    const packages = async () => (await server.client.call('packages.pull', { project: 'default' })).length;
    await expect.poll(packages).toBe(1);
    const page = await world.replayed({ session_id });
    expect(page.steps[0]?.compared?.changes).toEqual([]);
    expect(await packages()).toBe(1);
  });

  it('sends nothing that this relay did not forward itself, whoever says so', async () => {
    const session_id = fresh('forged');
    await world.send('echo', 'hello', session_id);
    const [real] = await world.captured(session_id);
    const trace_id = 'f'.repeat(32);
    const attributes = Object.entries({
      ...real?.attributes,
      'input.value': '{"role":"user","parts":[{"kind":"text","text":"rm -rf"}]}',
    })
      .filter(([, value]) => typeof value === 'string')
      .map(([key, value]) => ({ key, value: { stringValue: value } }));
    const nanos = String(BigInt(Date.now()) * 1_000_000n);
    const response = await server.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'o2r' } }] },
            scopeSpans: [
              {
                scope: { name: 'o2r' },
                spans: [
                  {
                    ...{ traceId: trace_id, spanId: 'e'.repeat(16), name: 'a2a.task', kind: 2, attributes },
                    ...{ startTimeUnixNano: nanos, endTimeUnixNano: nanos },
                  },
                ],
              },
            ],
          },
        ],
      }),
    });
    expect(response.status).toBe(200);
    await expect(server.client.call('relay.replay.plan', { trace_id })).rejects.toMatchObject({
      code: 'nothing_to_replay',
    });
  });

  it('leaves out what an agent will ask another one again by itself', async () => {
    const session_id = fresh('chain');
    let passes = true;
    agent.instead = async (request, response) => {
      if (!passes) return false;
      // The agent asks a second one before it answers, in the trace that it was asked in.
      await fetch(`${server.url}/a2a/echo`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-baton-key': server.ownerToken,
          traceparent: String(request.headers.traceparent),
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'message/send' },
          params: {
            message: {
              ...{ kind: 'message', messageId: 'm', role: 'user', contextId: session_id },
              parts: [{ kind: 'text', text: 'asked in between' }],
            },
          },
        }),
      });
      response.writeHead(200, { 'content-type': 'application/json' });
      const result = { kind: 'task', id: fresh('t'), contextId: session_id, status: { state: 'completed' } };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
      return true;
    };
    await world.send('agent', 'delegate', session_id);
    passes = false;
    await world.captured(session_id, 2);
    const { steps } = await server.client.call('relay.replay.plan', { session_id });
    expect(steps.map(({ agent: asked, reason }) => [asked, reason])).toEqual([
      ['agent', undefined],
      ['echo', 'caused'],
    ]);
  });

  it('comes again later where there is no room, and gives up one that cannot be reached', async () => {
    const session_id = fresh('limits');
    for (let n = 0; n < 7; n += 1) await world.send('echo', `hello ${n}`, session_id);
    await world.captured(session_id, 7);
    let refusals = 0;
    agent.instead = (_, response) => {
      if (++refusals % 3 === 0) return false;
      response.writeHead(429, { 'retry-after': '0' }).end();
      return true;
    };
    const busy = await world.replayed({ session_id, to: ['agent'] });
    agent.instead = () => false;
    expect(busy).toMatchObject({ state: 'ended', sent: 7 });
    expect(busy.steps.map(({ compared }) => compared?.replayed?.state)).toEqual(Array(7).fill('completed'));
    const gone = await startRpcAgent();
    await register('gone', gone.url, { version: '0.3', retries: 0 });
    await gone.close();
    const page = await world.replayed({ session_id, to: ['gone'] });
    expect(page).toMatchObject({ state: 'stopped', sent: 5, skipped: 2 });
    expect(page.steps.at(-1)).toMatchObject({ state: 'skipped', reason: 'stopped' });
    expect(page.steps[0]?.compared?.replayed?.error?.failure_class).toBe('peer_disconnect');
  });

  it('stops when it is told to, in the middle of a message', async () => {
    const session_id = fresh('stopped');
    await world.send('agent', 'one', session_id);
    await world.send('agent', 'two', session_id);
    await world.captured(session_id, 2);
    let arrived: () => void = () => undefined;
    const came = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    agent.instead = async () => {
      arrived();
      await new Promise(() => undefined);
      return true;
    };
    const { replay_id } = await server.client.call('relay.replay', { session_id });
    await came;
    const stopBy = async (scopes: string[]) => {
      const key = { actor_id: fresh('another'), actor_type: 'agent' as const, scopes };
      const { token } = await server.client.call('keys.create', key);
      return fetch(`${server.url}/v1/relay/replays/${replay_id}/stop`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
    };
    expect((await stopBy(['relay:send', 'trace:read'])).status).toBe(403);
    expect(await server.client.call('relay.replay.show', { replay_id })).toMatchObject({ state: 'running' });
    const stopped = await server.client.call('relay.replay.stop', { replay_id });
    expect((await stopBy(['relay:send', 'relay:manage'])).status).toBe(200);
    agent.instead = () => false;
    expect(stopped).toMatchObject({ state: 'stopped', messages: 2 });
    const { steps } = await server.client.call('relay.replay.show', { replay_id });
    expect(steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['unknown', 'interrupted'],
      ['skipped', 'stopped'],
    ]);
  });

  it('needs to be let read as well as send, and says to whom when there are several', async () => {
    const session_id = fresh('two');
    await world.send('echo', 'to one', session_id);
    await world.send('agent', 'to the other', session_id);
    await world.captured(session_id, 2);
    const { token } = await server.client.call('keys.create', {
      ...{ actor_id: 'sender', actor_type: 'agent', scopes: ['relay:send'] },
    });
    const refused = await fetch(`${server.url}/v1/relay/replays`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session_id }),
    });
    expect(refused.status).toBe(403);
    for (const to of [['echo-2'], ['echo=echo-2', 'echo=agent'], ['nobody=agent']])
      await expect(server.client.call('relay.replay.plan', { session_id, to })).rejects.toMatchObject({
        code: 'replay_target_unclear',
      });
    const { steps } = await server.client.call('relay.replay.plan', { session_id, to: ['echo=nobody'] });
    expect(steps.map(({ reason }) => reason)).toEqual(['peer_gone', undefined]);
  });

  it.each(['0.3', '1.0'] as const)('keeps the words of a client of %s by HTTP+JSON', async (version) => {
    const rest = await startSdkPeer(version, { binding: 'HTTP+JSON' });
    const id = fresh('rest');
    await register(id, rest.url);
    const client = await sdkClient(server, version, id, 'HTTP+JSON');
    const contextId = fresh('ctx');
    await client.sendMessage(say('by rest', { contextId }));
    for await (const _ of client.sendMessageStream(say('streamed', { contextId })));
    await world.captured(contextId, 2);
    const page = await world.replayed({ session_id: contextId });
    expect(page.steps.map(({ exact, compared }) => [exact, compared?.changes])).toEqual([
      [true, []],
      [true, []],
    ]);
    // And in another version, by another binding.
    const bridged = await world.replayed({
      session_id: contextId,
      to: [version === '0.3' ? 'echo-2' : 'echo'],
    });
    expect(bridged.steps.map(({ compared }) => compared?.changes)).toEqual([[], []]);
    await rest.close();
  });

  it('keeps the words of a client by gRPC', async () => {
    const grpc = await startSdkPeer('1.0', { binding: 'GRPC' });
    const id = fresh('grpc');
    await register(id, grpc.url);
    const contextId = fresh('ctx');
    const card = AgentCard.fromJSON(
      await (
        await fetch(`${server.url}/a2a/${id}/.well-known/agent-card.json`, {
          headers: { 'x-baton-key': server.ownerToken, 'a2a-version': '1.0' },
        })
      ).json(),
    );
    const client = await new ClientFactory({
      ...ClientFactoryOptions.default,
      transports: [new GrpcTransportFactory()],
    }).createFromAgentCard({
      ...card,
      supportedInterfaces: card.supportedInterfaces.filter(
        (one) => one.protocolBinding === 'GRPC' && one.protocolVersion === '1.0',
      ),
    });
    const options = { serviceParameters: { 'x-baton-key': server.ownerToken } };
    await client.sendMessage(say('by grpc', { contextId }), options);
    for await (const _ of client.sendMessageStream(say('streamed', { contextId }), options));
    await world.captured(contextId, 2);
    for (const to of [id, 'echo', 'echo-2']) {
      const page = await world.replayed({ session_id: contextId, to: [to] });
      expect(page.steps.map(({ exact, compared }) => [exact, compared?.changes])).toEqual([
        [true, []],
        [true, []],
      ]);
    }
    await grpc.close();
  });

  it(`sends ${CROWD} messages, each once`, { timeout: 300_000 }, async () => {
    const session_id = fresh('crowd');
    for (let n = 0; n < CROWD; n += 20)
      await Promise.all(
        Array.from({ length: Math.min(20, CROWD - n) }, (_, at) =>
          world.send('echo', `m${n + at}`, session_id),
        ),
      );
    await expect
      .poll(async () => (await server.client.call('relay.replay.plan', { session_id })).messages, {
        timeout: 30_000,
      })
      .toBe(CROWD);
    const seen = peer.bodies.length;
    const page = await world.replayed({ session_id });
    expect(page).toMatchObject({ state: 'ended', sent: CROWD, next: CROWD > 100 ? 100 : null });
    const said = peer.bodies.slice(seen).map((body) => JSON.parse(body).params.message.parts[0].text);
    expect([...said].sort()).toEqual(Array.from({ length: CROWD }, (_, n) => `m${n}`).sort());
    expect(page.steps.filter(({ compared }) => compared?.changes.length !== 0)).toEqual([]);
  });
});
