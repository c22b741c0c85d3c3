import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { askForDecision, KIND } from '../browser/ask-for-decision.ts';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { CA, type MailServer, PASSWORD, readMail, startMailServer, USER } from './mail-server.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let server: TestServer;
let receiver: Receiver;
let mail: MailServer;

beforeAll(async () => {
  [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
  server = await startTestServer({
    allowedNotifyHosts: ['127.0.0.1', 'localhost'],
    publicUrl: 'https://baton.example.com',
  });
  server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
});
afterAll(() => Promise.all([server.close(), receiver.close(), mail.close()]));

const baton = (...args: string[]) => runBaton(args, { env: { BATON_DATA: server.dataDir } });
const channels = async () => (await server.client.call('notifications.list', {})).channels;

describe('notifications of a running server', () => {
  it('are set up on the command line, tested, and reach a real receiver and a real mail server once', async () => {
    const added = await baton(
      'notify',
      'add',
      'slack',
      `${receiver.url}/hook/secret`,
      '--label',
      'Team',
      '--json',
    );
    expect(added.code).toBe(0);
    const { channel_id } = JSON.parse(added.stdout);
    expect((await baton('notify', 'test', channel_id)).code).toBe(0);
    expect(receiver.posts.map(({ text }) => JSON.parse(text).text)).toEqual([
      'A test from Baton\nThis channel works.\n<https://baton.example.com|Open in Baton>',
    ]);
    receiver.posts.length = 0;
    await server.client.call('notifications.mail_set', {
      host: 'localhost',
      port: mail.port,
      from: 'baton@example.com',
      user: USER,
      password: PASSWORD,
      ca: CA,
    });
    const email = await baton('notify', 'add', 'email', 'ana@example.com', '--content', 'title', '--json');
    expect(email.code).toBe(0);
    const item = await askForDecision(server, 'Publish the release', 'high');
    await expect.poll(() => receiver.posts.length + mail.received.length, { timeout: 20_000 }).toBe(2);
    // What is found again in later rounds is not told again.
    await askForDecision(server, 'Nothing that anybody is told of', 'low');
    for (let round = 0; round < 3; round += 1) await server.app.drain();
    expect([receiver.posts.length, mail.received.length]).toEqual([1, 1]);
    expect(receiver.posts[0]?.text).toContain(`https://baton.example.com/inbox?item=${item}`);
    expect(receiver.posts[0]?.text).not.toContain('Publish');
    expect(readMail(mail.received[0]!).body).toContain('Publish the release');
    const shown = await baton('notify');
    expect(shown.stdout).toMatch(/Team/);
    expect(shown.stdout + added.stdout + email.stdout).not.toMatch(/hook\/secret|ana@example/);
    expect(JSON.stringify(await channels())).not.toMatch(/hook\/secret|ana@example/);
    expect(JSON.stringify(await server.client.call('notifications.mail', {}))).not.toContain(PASSWORD);
  });

  it('lead to the sign-in: a link decides nothing', async () => {
    const text = (await fetch(`${server.url}/inbox?item=itm_x`)).text();
    expect(await text).not.toMatch(/itm_x/);
    const bare = await fetch(`${server.url}/v1/inbox`);
    expect(bare.status).toBe(401);
  });

  it('are nobody else’s to see, change or take', async () => {
    const { token } = await server.client.call('keys.create', { actor_id: 'ben', actor_type: 'human' });
    const ben = createClient({ url: server.url, token: token ?? '' });
    const [own] = await channels();
    const { channel_id } = own!;
    expect((await ben.call('notifications.list', {})).channels).toEqual([]);
    for (const tried of [
      () => ben.call('notifications.change', { channel_id, paused: true }),
      () => ben.call('notifications.remove', { channel_id }),
      () => ben.call('notifications.test', { channel_id }),
      () => ben.call('notifications.claim', { channel_id }),
    ]) {
      await expect(tried()).rejects.toMatchObject({ code: 'channel_not_found', status: 404 });
    }
    await expect(ben.call('notifications.mail', {})).rejects.toMatchObject({ code: 'forbidden' });
    const { token: agent } = await server.client.call('keys.create', {
      actor_id: 'bot',
      actor_type: 'agent',
    });
    const bot = createClient({ url: server.url, token: agent ?? '' });
    await expect(bot.call('notifications.add', { kind: 'browser' })).rejects.toMatchObject({
      code: 'people_only',
    });
  });

  it('say what is wrong when a test fails', async () => {
    const { channel_id } = await server.client.call('notifications.add', {
      kind: 'webhook',
      address: `${receiver.url}/x`,
    });
    receiver.answer = 403;
    await expect(server.client.call('notifications.test', { channel_id })).rejects.toMatchObject({
      code: 'notification_not_sent',
      details: { reason: 'notification_refused' },
    });
    receiver.answer = 204;
    const failed = (await channels()).find((channel) => channel.channel_id === channel_id);
    expect(failed?.last_error?.code).toBe('notification_refused');
    await server.client.call('notifications.remove', { channel_id });
    await expect(
      server.client.call('notifications.add', { kind: 'slack', address: 'http://10.1.2.3/x' }),
    ).rejects.toMatchObject({ code: 'address_refused' });
    await expect(
      server.client.call('notifications.add', { kind: 'email', address: 'a@b.c\r\nBcc: x@y.z' }),
    ).rejects.toMatchObject({ code: 'channel_invalid' });
  });

  it('give a page what it has to show, once', async () => {
    const { channel_id } = await server.client.call('notifications.add', { kind: 'browser' });
    const item = await askForDecision(server, 'For the page', 'high');
    const claim = () => server.client.call('notifications.claim', { channel_id });
    await server.app.drain();
    const taken = (await Promise.all([claim(), claim(), claim()])).flatMap(({ messages }) => messages);
    expect(taken).toMatchObject([
      { subject: 'A decision of high risk waits in default', link: `/inbox?item=${item}` },
    ]);
    expect((await claim()).messages).toEqual([]);
  });
});
