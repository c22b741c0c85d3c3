import { createHmac } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import type { Reach } from '../../outbound/address-guard.ts';
import { guardedPost } from '../../outbound/guarded-post.ts';
import type { Database } from '../../storage/database.ts';
import { notificationErrors } from '../errors.ts';
import { selectMail } from '../mail-store.ts';
import type { Words } from '../rules/words.ts';
import type { Address, Vault } from '../vault.ts';
import { mailText } from './mail-text.ts';
import { sendMail } from './smtp.ts';
import { ntfyMessage, plainText, slackMessage, type WebMessage, webhookMessage } from './web-messages.ts';

export interface Outgoing {
  readonly messageId: string;
  readonly address: Address;
  readonly words: Words;
  readonly things: number;
  /** Awaited just before the first byte that may have an effect. */
  readonly begin: () => Promise<void>;
}

/** Throws where it was not taken, or where that is not known; `begin` tells the two apart. */
export type Send = (outgoing: Outgoing, signal: AbortSignal) => Promise<void>;

export interface SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly reach: Reach;
}

export function createSend({ db, clock, vault, reach }: SendDeps): Send {
  async function post(url: string, message: WebMessage, begin: () => Promise<void>, signal: AbortSignal) {
    await begin();
    const { status } = await guardedPost(new URL(url), message.body, message.headers, signal, reach);
    if (status >= 200 && status < 300) return;
    throw notificationErrors.notification_refused({
      message: `The address answered ${status}.`,
      details: { status },
    });
  }

  return async ({ messageId, address, words, things, begin }, signal) => {
    switch (address.kind) {
      case 'webhook': {
        const key = Buffer.from(address.secret.replace(/^whsec_/, ''), 'base64');
        const message = webhookMessage(words, things, {
          messageId,
          timestamp: Math.floor(clock.now() / 1e6),
          sign: (text) => createHmac('sha256', key).update(text).digest('base64'),
        });
        return post(address.url, message, begin, signal);
      }
      case 'slack':
        return post(address.url, slackMessage(words), begin, signal);
      case 'ntfy':
        return post(address.url, ntfyMessage(words, address.topic, address.token), begin, signal);
      case 'email': {
        const account = await db.read(selectMail);
        if (!account) throw notificationErrors.mail_not_set();
        const text = mailText({
          from: account.sender,
          to: address.to,
          subject: words.subject,
          text: plainText(words),
          id: messageId,
          date: new Date(clock.now() / 1000),
        });
        const { host, port, security } = account;
        const { login, ca } = vault.openMail(account.sealed);
        return sendMail(
          { host, port, security, login, ca, reach },
          { from: account.sender, to: address.to, text },
          begin,
          signal,
        );
      }
      case 'browser':
        // Its page comes for what waits.
        throw notificationErrors.channel_invalid();
    }
  };
}
