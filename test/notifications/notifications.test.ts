import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Principal } from '../../src/spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';
import type { NewItem } from '../../src/spine/inbox/inbox.ts';
import type { Rule } from '../../src/spine/notifications/kinds.ts';
import {
  notificationTestMigrations,
  type TestNotifications,
  testNotifications,
} from '../../src/spine/notifications/testing.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { CA, type MailServer, PASSWORD, readMail, startMailServer, USER } from './mail-server.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const MINUTE = 60;
const HOUR = 3600;
const EVERYTHING: Rule[] = [{ project: '*', kind: 'inbox', when: 'now' }];

describeOnEachEngine('notifications', (open) => {
  let rig: TestNotifications;
  let ana: Principal;
  let receiver: Receiver;
  let mail: MailServer;
  beforeEach(async () => {
    rig = await testNotifications(await open(notificationTestMigrations));
    rig.inbox.register('review', { apply: 'rows', run: async () => {} });
    ana = await rig.person('ana');
    [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
  });
  afterEach(() => Promise.all([receiver.close(), mail.close()]));

  let items = 0;
  const opened = (change: Partial<NewItem> = {}) => {
    items += 1;
    const subject = { type: 'package', id: `pkg_${items}` };
    return rig.openItem({ projectId: DEFAULT_PROJECT, risk: 'high', subject, ...change });
  };
  const webhook = (more: object = {}) =>
    rig.add(ana, { kind: 'webhook', address: `${receiver.url}/hook`, rules: EVERYTHING, ...more });
  const subjects = () => receiver.posts.map(({ text }) => JSON.parse(text).data.subject as string);

  it('tell each thing once in each channel: webhook, Slack, ntfy and e-mail', async () => {
    await rig.setMail(ana, {
      host: 'localhost',
      port: mail.port,
      from: 'baton@example.com',
      user: USER,
      password: PASSWORD,
      ca: CA,
    });
    const { secret } = await webhook();
    await rig.add(ana, { kind: 'slack', address: `${receiver.url}/slack` });
    await rig.add(ana, { kind: 'ntfy', address: `${receiver.url}/my-topic`, token: 'tk_1' });
    await rig.add(ana, { kind: 'email', address: 'ana@example.com', content: 'title' });
    const { itemId } = await opened({ title: 'Publish 1.4' });
    for (let round = 0; round < 3; round += 1) await rig.round();

    expect(receiver.posts.map(({ path }) => path).sort()).toEqual(['/', '/hook', '/slack']);
    const [hook, slack, ntfy] = ['/hook', '/slack', '/'].map(
      (path) => receiver.posts.find((post) => post.path === path)!,
    );
    const subject = 'A decision of high risk waits in default';
    const link = `https://baton.example.com/inbox?item=${itemId}`;
    expect(JSON.parse(hook!.text).data).toEqual({ subject, lines: [], link, things: 1 });
    const signed = `${hook!.headers['webhook-id']}.${hook!.headers['webhook-timestamp']}.${hook!.text}`;
    const key = Buffer.from(secret!.replace('whsec_', ''), 'base64');
    expect(hook!.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(JSON.parse(slack!.text).text).toBe(`${subject}\n<${link}|Open in Baton>`);
    expect(JSON.parse(ntfy!.text)).toEqual({
      topic: 'my-topic',
      title: 'Baton',
      message: subject,
      click: link,
    });
    expect(ntfy!.headers.authorization).toBe('Bearer tk_1');
    expect(mail.received.map(({ to, secure }) => [to, secure])).toEqual([[['ana@example.com'], true]]);
    expect(readMail(mail.received[0]!)).toEqual({
      subject,
      body: `${subject}\r\nPublish 1.4\r\n\r\n${link}\r\n`,
    });
    expect((await rig.messages(ana)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent']);
  });

  it('tell nobody of what they may not decide or see, and nobody whose keys are gone', async () => {
    const ben = await rig.person('ben', ['elsewhere']);
    await webhook();
    await rig.add(ben, { kind: 'slack', address: `${receiver.url}/ben` });
    await opened({ requestedBy: ana.actor });
    await opened({ deciders: ['carla'] });
    await rig.round();
    expect(receiver.posts).toEqual([]);
    await opened();
    await rig.db.write((uow) =>
      uow.run("update credentials set revoked_at = 'now', revoked_us = 1 where actor_id = 'ana'"),
    );
    await rig.round();
    expect(receiver.posts).toEqual([]);
  });

  it('tell nothing of what was before the channel, and nothing that was decided meanwhile', async () => {
    await opened();
    rig.clock.advance({ seconds: 1 });
    await webhook({ quiet: { from: '00:00', to: '00:00' } });
    const { itemId, digest } = await opened();
    await rig.round();
    await rig.decide({ itemId, digest, decision: 'reject', principal: { ...ana, present: true } });
    const [channel] = (await rig.db.read((reader) =>
      reader.all('select channel_id from notification_channels'),
    )) as { channel_id: string }[];
    await rig.change(ana, channel!.channel_id, { quiet: null });
    await rig.round();
    expect(receiver.posts).toEqual([]);
    expect((await rig.messages(ana)).map(({ state }) => state)).toEqual(['withdrawn']);
  });

  it('make a digest of five hundred things, and of a flood few messages', async () => {
    await webhook();
    await rig.round();
    for (let n = 0; n < 500; n += 1) await opened({ risk: n < 480 ? 'high' : 'low' });
    await rig.round();
    expect(subjects()).toEqual(['500 things to look at in default']);
    expect(JSON.parse(receiver.posts[0]!.text).data.lines).toEqual([
      '480 decisions of high risk wait in default',
      '20 decisions of low risk wait in default',
    ]);
    for (let n = 0; n < 100; n += 1) {
      await opened();
      rig.clock.advance({ seconds: 30 });
      await rig.round();
    }
    // Ten in the first hour, then one in ten minutes with all that came together.
    expect(receiver.posts.length).toBeGreaterThan(10);
    expect(receiver.posts.length).toBeLessThan(17);
    const things = receiver.posts.map(({ text }) => JSON.parse(text).data.things as number);
    rig.clock.advance({ seconds: HOUR });
    await rig.round();
    const all = receiver.posts.map(({ text }) => JSON.parse(text).data.things as number);
    expect(all.reduce((sum, each) => sum + each, 0)).toBe(600);
    expect(things.length).toBeLessThanOrEqual(all.length);
  });

  it('keep quiet when they should, and tell all of it afterwards', async () => {
    rig.clock.set('2026-05-01T20:30:00Z');
    await webhook({ quiet: { from: '22:00', to: '07:00' }, zone: 'Europe/Berlin' });
    await opened();
    await opened();
    await rig.round();
    rig.clock.advance({ seconds: 8 * HOUR });
    await rig.round();
    expect(receiver.posts).toEqual([]);
    rig.clock.advance({ seconds: HOUR });
    await rig.round();
    expect(subjects()).toEqual(['2 things to look at in default']);
  });

  it('wait for the time of a digest', async () => {
    rig.clock.set('2026-05-01T10:20:00Z');
    await webhook({ rules: [{ project: '*', kind: 'inbox', when: 'daily' }], digestAt: '18:00' });
    await opened();
    await rig.round();
    rig.clock.advance({ seconds: 7 * HOUR });
    await opened();
    await rig.round();
    expect(receiver.posts).toEqual([]);
    rig.clock.advance({ seconds: HOUR });
    await rig.round();
    expect(subjects()).toEqual(['2 things to look at in default']);
  });

  it('remind of what expires, once, as long before as was set', async () => {
    rig.clock.set('2026-05-01T10:00:00Z');
    await webhook({ rules: [{ project: '*', kind: 'expiring', when: 'now', minutesBefore: 60 }] });
    await rig.round();
    const soon = (minutes: number) => ({ expires: rig.clock.now() + minutes * MINUTE * 1e6 });
    await opened(soon(180));
    // Short from the start.
    await opened(soon(3));
    await rig.round();
    expect(subjects()).toEqual(['A decision of high risk in default expires at 10:03 (UTC)']);
    for (let minutes = 0; minutes < 180; minutes += 10) {
      rig.clock.advance({ seconds: 10 * MINUTE });
      await rig.round();
    }
    expect(subjects().slice(1)).toEqual(['A decision of high risk in default expires at 13:00 (UTC)']);
  });

  it('tell of denials, budgets and runs where that was asked for', async () => {
    const kinds = ['denied', 'budget', 'run_stopped', 'run_finished'] as const;
    await webhook({ rules: kinds.map((kind) => ({ project: '*', kind, when: 'now' })) });
    const session = await rig.newSession(DEFAULT_PROJECT);
    const denied = { action_id: 'order.refund', policy_id: 'p' };
    await rig.appendOne(session, { ...denied, reason: 'denied_by_policy' }, 'action.denied', 'trace');
    await rig.appendOne(session, { ...denied, reason: 'budget_exceeded' }, 'action.denied', 'trace');
    await rig.appendOne(session, { run_id: 'r1' }, 'run.blocked');
    await rig.appendOne(session, { run_id: 'r1' }, 'run.completed');
    await rig.round();
    expect(JSON.parse(receiver.posts[0]!.text).data.lines).toEqual([
      'An action was denied in default',
      'A budget is used up in default',
      'A run has stopped in default',
      'A run has finished in default',
    ]);
  });

  it('are tried again when they were refused for now, and given up when for good', async () => {
    const { channel } = await webhook();
    receiver.answer = 503;
    await opened();
    await rig.round();
    expect(receiver.posts).toHaveLength(1);
    receiver.answer = 204;
    rig.clock.advance({ seconds: HOUR });
    await rig.round();
    expect(receiver.posts).toHaveLength(2);
    expect(new Set(receiver.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.answer = 410;
    await opened();
    await rig.round();
    rig.clock.advance({ seconds: 24 * HOUR });
    await rig.round();
    expect(receiver.posts).toHaveLength(3);
    expect((await rig.messages(ana))[0]).toMatchObject({
      channelId: channel.channelId,
      state: 'failed',
      error: 'notification_refused',
    });
  });

  it('are not sent again when they may have arrived', async () => {
    await webhook();
    receiver.answer = 'hang up';
    await opened();
    await rig.round();
    receiver.answer = 204;
    for (let hours = 0; hours < 3; hours += 1) {
      rig.clock.advance({ seconds: HOUR });
      await rig.round();
    }
    expect(receiver.posts).toHaveLength(1);
    expect((await rig.messages(ana)).map(({ state, error }) => [state, error])).toEqual([
      ['unknown', 'outcome_unknown'],
    ]);
  });

  it('go out once where several processes serve a store', async () => {
    const beside = await testNotifications(await open(notificationTestMigrations, { beside: rig.db }), 2);
    beside.inbox.register('review', { apply: 'rows', run: async () => {} });
    beside.clock.set('2026-01-01T00:00:00Z');
    await webhook();
    for (let n = 0; n < 8; n += 1) {
      await opened();
      await Promise.all([rig.round(), beside.round(), rig.round(), beside.round()]);
    }
    await rig.round();
    const things = receiver.posts.map(({ text }) => JSON.parse(text).data.things as number);
    expect(things.reduce((sum, each) => sum + each, 0)).toBe(8);
  });

  it('do not go to private addresses that nobody has allowed, and keep no address in plain text', async () => {
    for (const address of [
      'http://10.0.0.1/x',
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://0x7f.2/',
    ]) {
      await expect(rig.add(ana, { kind: 'slack', address })).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
    const { channel } = await rig.add(ana, {
      kind: 'slack',
      address: `${receiver.url}/T000/B000/secret-path`,
    });
    expect(JSON.stringify(channel)).not.toContain('secret-path');
    const rows = await rig.db.read((reader) => reader.all('select * from notification_channels'));
    expect(JSON.stringify(rows)).not.toContain('secret-path');
    const agent = { ...ana, actor: { id: 'builder', type: 'agent' as const } };
    await expect(rig.add(agent, { kind: 'browser' })).rejects.toMatchObject({ code: 'people_only' });
    const stranger = { ...ana, actor: { id: 'stranger', type: 'human' as const } };
    await expect(rig.add(stranger, { kind: 'browser' })).rejects.toMatchObject({ code: 'people_only' });
  });
});
