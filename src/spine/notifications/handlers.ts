import { BatonError } from '../../kernel/error.ts';
import { formatMicros } from '../../kernel/instant.ts';
import { identityErrors } from '../identity/errors.ts';
import type { Limiter } from '../identity/limits/limiter.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Handlers } from '../operations/handler.ts';
import type { Database, Reader } from '../storage/database.ts';
import { claimForBrowser } from './browser.ts';
import { type Channel, selectChannelsOf } from './channel-store.ts';
import {
  addChannel,
  type ChannelDeps,
  type ChannelSettings,
  changeChannel,
  ownChannel,
  removeChannel,
} from './channels.ts';
import { countWaiting } from './delivery-store.ts';
import { notificationErrors } from './errors.ts';
import type { Rule } from './kinds.ts';
import { requireMailOwner, setMail } from './mail.ts';
import { deleteMail, type MailAccount, selectMail } from './mail-store.ts';
import { insertMessage, type Message, selectFared, selectMessagesOf } from './message-store.ts';
import type { notificationOperations } from './operations.ts';
import type { channelChangeSchema, channelSchema, mailSchema, messageSchema, ruleSchema } from './schema.ts';
import type { Send } from './send/send.ts';

export interface HandlerDeps extends ChannelDeps {
  readonly db: Database;
  readonly inbox: Inbox;
  readonly limiter: Limiter;
  readonly ids: () => string;
  readonly send: Send;
  /** Where people reach the dashboard. */
  readonly origin: () => string;
}

const TESTS = { limit: 10, windowSeconds: 3600 };
const TEST_MS = 20_000;

export function createNotificationHandlers(deps: HandlerDeps): Handlers<typeof notificationOperations> {
  const { db, vault } = deps;
  const mailBody = (account: MailAccount | undefined) => ({
    mail: account ? mailOf(account, vault.openMail(account.sealed).login !== null) : null,
  });

  return {
    'notifications.list': async (reader, { principal }) => {
      const channels = await selectChannelsOf(reader, principal.actor.id);
      const shown = [];
      for (const channel of channels) shown.push(await channelBody(reader, channel));
      return { body: { channels: shown, mail: (await selectMail(reader)) !== undefined } };
    },

    'notifications.add': async (uow, { input: { body }, principal }) => {
      const { kind, address, token } = body;
      const given = { kind, address, token, ...settingsOf(body) };
      const { channel, secret } = await addChannel(uow, deps, principal, given);
      return { body: { ...(await channelBody(uow, channel)), ...(secret !== undefined && { secret }) } };
    },

    'notifications.change': async (uow, { input: { path, body }, principal }) => {
      const changed = await changeChannel(uow, deps, principal, path.channel_id, settingsOf(body));
      return { body: await channelBody(uow, changed) };
    },

    'notifications.remove': async (uow, { input: { path }, principal }) => {
      await removeChannel(uow, deps, principal, path.channel_id);
      return { body: { done: true } };
    },

    'notifications.test': async ({ input: { path }, principal, signal }) => {
      const channel = await db.read((reader) => ownChannel(reader, principal, path.channel_id));
      const taken = await deps.limiter.take(`notification-test:${principal.actor.id}`, TESTS);
      if (!taken.granted) throw identityErrors.rate_limited({ retryAfterSeconds: taken.retryAfterSeconds });
      await sendTest(deps, channel, signal);
      return { body: { done: true } };
    },

    'notifications.sent': async (reader, { input: { query }, principal }) => {
      const messages = await selectMessagesOf(reader, principal.actor.id, query.limit ?? 50);
      return { body: { messages: messages.map(messageBody) } };
    },

    'notifications.claim': async (uow, { input: { path }, principal }) => {
      const channel = await ownChannel(uow, principal, path.channel_id);
      if (channel.kind !== 'browser') throw notificationErrors.channel_not_found();
      const claimed = await claimForBrowser(uow, deps, channel);
      if (!claimed) return { body: { messages: [] } };
      const { messageId, subject, lines, link } = claimed;
      return { body: { messages: [{ message_id: messageId, subject, lines: [...lines], link }] } };
    },

    'notifications.mail': async (reader) => ({ body: mailBody(await selectMail(reader)) }),

    'notifications.mail_set': async ({ input: { body }, principal }) => ({
      body: mailBody(await setMail(db, deps, principal, body)),
    }),

    'notifications.mail_remove': async (uow, { principal }) => {
      requireMailOwner(principal);
      if (await deleteMail(uow)) {
        await deps.record(uow, {
          projectId: principal.defaultProject,
          actor: principal.actor,
          type: 'notification.mail_removed',
          payload: {},
        });
      }
      return { body: { mail: null } };
    },
  };
}

/** Sent while the person waits, so that they see at once what is wrong. */
async function sendTest(deps: HandlerDeps, channel: Channel, signal: AbortSignal): Promise<void> {
  const { db, clock, ids, vault, send } = deps;
  if (channel.kind === 'browser') {
    throw notificationErrors.channel_invalid({ message: 'A browser is tested on its own page.' });
  }
  const messageId = ids();
  const created = clock.now();
  const words = { subject: 'A test from Baton', lines: ['This channel works.'], link: deps.origin() };
  const kept = (state: Message['state'], error: string | null) =>
    db.write((uow) =>
      insertMessage(uow, {
        messageId,
        channelId: channel.channelId,
        state,
        origin: deps.origin(),
        things: 0,
        createdMicros: created,
        endedMicros: clock.now(),
        error,
      }),
    );
  try {
    const address = vault.openAddress(channel.channelId, channel.sealed);
    const outgoing = { messageId, address, words, things: 0, begin: async () => {} };
    await send(outgoing, AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]));
  } catch (error) {
    const known = error instanceof BatonError ? error : undefined;
    const code = known?.code ?? (error as NodeJS.ErrnoException).code ?? 'no_answer';
    await kept('failed', code);
    if (code === 'mail_not_set' || code === 'notify_key_unreadable') throw error;
    const why = known ? known.message : `The connection failed (${code}).`;
    throw notificationErrors.notification_not_sent({
      message: `The message could not be sent: ${why}`,
      details: { reason: code },
      cause: error,
    });
  }
  await kept('sent', null);
}

function settingsOf(body: (typeof channelChangeSchema)['_output']): ChannelSettings {
  const { label, rules, content, quiet, zone, digest_at, paused } = body;
  return { label, rules: rules?.map(ruleOf), content, quiet, zone, digestAt: digest_at, paused };
}

function ruleOf(rule: (typeof ruleSchema)['_output']): Rule {
  const { project, kind, when, least_risk, minutes_before } = rule;
  return { project, kind, when, leastRisk: least_risk, minutesBefore: minutes_before };
}

async function channelBody(reader: Reader, channel: Channel): Promise<(typeof channelSchema)['_output']> {
  const { lastSent, lastFault } = await selectFared(reader, channel.channelId);
  return {
    channel_id: channel.channelId,
    kind: channel.kind,
    label: channel.label,
    shown: channel.shown,
    rules: channel.rules.map(({ project, kind, when, leastRisk, minutesBefore }) => ({
      project,
      kind,
      when,
      ...(leastRisk && { least_risk: leastRisk }),
      ...(minutesBefore && { minutes_before: minutesBefore }),
    })),
    content: channel.content,
    quiet: channel.quiet,
    zone: channel.zone,
    digest_at: channel.digestAt,
    paused: channel.paused,
    created_at: channel.createdAt,
    waiting: await countWaiting(reader, channel.channelId),
    last_sent_at: lastSent === null ? null : formatMicros(lastSent),
    last_error: lastFault
      ? { code: lastFault.error ?? '', at: formatMicros(lastFault.endedMicros ?? lastFault.createdMicros) }
      : null,
  };
}

function mailOf(account: MailAccount, user: boolean): (typeof mailSchema)['_output'] {
  const { host, port, security, sender, setBy, setAt } = account;
  return { host, port, security, from: sender, user, set_by: setBy, set_at: setAt };
}

function messageBody(message: Message): (typeof messageSchema)['_output'] {
  return {
    message_id: message.messageId,
    channel_id: message.channelId,
    state: message.state,
    things: message.things,
    created_at: formatMicros(message.createdMicros),
    ended_at: message.endedMicros === null ? null : formatMicros(message.endedMicros),
    error: message.error,
  };
}
