import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForDecision, KIND } from '../browser/ask-for-decision.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

/** Whoever has a key of their own, and what they try to make the server send or say. */
describe('notification channels in the hands of others', () => {
  let server: TestServer;
  let inside: Server;
  const asked: string[] = [];
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    server = await startTestServer();
    server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
    inside = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('a secret of the machine');
    });
    await new Promise<void>((done) => inside.listen(0, '127.0.0.1', done));
    await server.client.call('projects.create', { project_id: 'other' });
    const other = { projects: ['other'], default_project: 'other' };
    const keys: [name: string, type: 'human' | 'agent', more: object][] = [
      ['pia', 'human', {}],
      ['ole', 'human', other],
      ['bot', 'agent', { scopes: ['*'] }],
    ];
    for (const [actor_id, actor_type, more] of keys) {
      const made = await server.client.call('keys.create', { actor_id, actor_type, ...more });
      tokens[actor_id] = made.token ?? '';
    }
  }, 60_000);
  afterAll(async () => {
    inside.close();
    await server.close();
  });

  async function ask(who: string, method: string, path: string, body?: unknown, headers: object = {}) {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[who]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
    return { status: response.status, json: (text.startsWith('{') ? JSON.parse(text) : {}) as any, text };
  }
  const add = (who: string, body: object) => ask(who, 'POST', '/v1/notifications', body);

  it('lead to no address of the machine or its network, however it is written', async () => {
    const { port } = inside.address() as AddressInfo;
    const own = new URL(server.url).port;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LOCALHOST.:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.0.0.1:${port}`,
      `0177.0.0.1:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[::ffff:7f00:1]:${port}`,
      `[::]:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.1:${own}`,
      '169.254.169.254',
      '[fd00:ec2::254]',
      '10.0.0.1',
      '100.64.0.1',
      '192.168.1.1',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      `user:pass@127.0.0.1:${port}`,
      `①②⑦.⓪.⓪.①:${port}`,
    ]) {
      for (const kind of ['webhook', 'slack', 'ntfy']) {
        for (const scheme of ['http', 'https']) {
          const added = await add('pia', { kind, address: `${scheme}://${host}/topic` });
          if (added.status < 400) {
            // A name is judged when it is resolved; only so many tests are sent in an hour.
            if (kind === 'webhook') {
              const test = await ask('pia', 'POST', `/v1/notifications/${added.json.channel_id}/test`, {});
              expect([host, test.status]).toEqual([host, 502]);
              // What the resolver does not know is refused by it.
              expect(['address_refused', 'ENOTFOUND']).toContain(test.json.error.details.reason);
            }
            await ask('pia', 'DELETE', `/v1/notifications/${added.json.channel_id}`);
          } else expect([host, kind, added.status < 500]).toEqual([host, kind, true]);
        }
      }
    }
    for (const address of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'gopher://127.0.0.1/',
      '//x',
      '',
      'x',
    ])
      expect([400, 403]).toContain((await add('pia', { kind: 'webhook', address })).status);
    expect(asked).toEqual([]);
  });

  it('take nothing that becomes another line of a request or a mail', async () => {
    const evil = 'x\r\nX-Injected: 1';
    const token = await add('pia', { kind: 'ntfy', address: 'https://ntfy.example/topic', token: evil });
    expect([token.status, token.json.error.code]).toEqual([400, 'invalid_input']);
    for (const body of [
      { kind: 'ntfy', address: `https://ntfy.example/${evil}` },
      { kind: 'ntfy', address: 'https://ntfy.example/a/b' },
      { kind: 'webhook', address: `https://hooks.example/${evil}` },
      { kind: 'email', address: `ana@example.com${evil}` },
      { kind: 'email', address: 'ana@example.com>\r\nRCPT TO:<eve@example.com' },
      { kind: 'browser', label: evil },
    ]) {
      const added = await add('pia', body);
      expect([body, added.status < 500]).toEqual([body, true]);
      if (added.status >= 400) continue;
      await ask('pia', 'DELETE', `/v1/notifications/${added.json.channel_id}`);
    }
  });

  it('are nobody else’s to see, change, empty or remove, and no agent’s', async () => {
    const mine = (await add('pia', { kind: 'browser', content: 'title' })).json.channel_id as string;
    await askForDecision(server, 'The secret title', 'high');
    await server.app.drain();
    for (const who of ['ole', 'bot']) {
      for (const [method, path, body] of [
        ['PATCH', `/v1/notifications/${mine}`, { paused: true }],
        ['DELETE', `/v1/notifications/${mine}`, undefined],
        ['POST', `/v1/notifications/${mine}/test`, {}],
        ['POST', `/v1/notifications/${mine}/claim`, {}],
      ] as const) {
        const answer = await ask(who, method, path, body);
        expect([who, method, answer.status >= 400 && answer.status < 500]).toEqual([who, method, true]);
      }
      expect((await ask(who, 'GET', '/v1/notifications')).json.channels).toEqual([]);
      expect((await ask(who, 'GET', '/v1/notifications/messages')).json.messages).toEqual([]);
    }
    expect((await add('bot', { kind: 'browser' })).json.error.code).toBe('people_only');
    for (const who of ['pia', 'ole', 'bot']) {
      const set = await ask(who, 'PUT', '/v1/notifications/mail', { host: '1.1.1.1', from: 'a@b.example' });
      expect([who, set.status]).toEqual([who, 403]);
      expect([who, (await ask(who, 'DELETE', '/v1/notifications/mail')).status]).toEqual([who, 403]);
    }
  });

  it('tell a person nothing of projects that their keys do not open', async () => {
    const rules = [{ project: '*', kind: 'inbox', when: 'now' }];
    const { channel_id: id } = (await add('ole', { kind: 'browser', content: 'title', rules })).json;
    await askForDecision(server, 'Only for the default project', 'high');
    for (let round = 0; round < 3; round += 1) {
      await server.app.drain();
      expect((await ask('ole', 'POST', `/v1/notifications/${id}/claim`, {})).json.messages).toEqual([]);
    }
  });
});
