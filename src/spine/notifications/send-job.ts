import type { Clock } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { jobErrors } from '../jobs/errors.ts';
import type { JobHandler } from '../jobs/handler.ts';
import type { Database, Reader } from '../storage/database.ts';
import { selectChannel } from './channel-store.ts';
import { endMessage, moveMessage, selectMessage } from './message-store.ts';
import { wordsFor } from './rules/words.ts';
import type { Send } from './send/send.ts';
import { stillToTell } from './told.ts';
import type { Vault } from './vault.ts';

export interface SendJobDeps {
  readonly db: Database;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly send: Send;
}

type End = 'sent' | 'withdrawn' | 'unknown' | 'gone';

const SEND_MS = 45_000;
const LEASE_SECONDS = 60;

/**
 * Sends a message once. Whatever fails before its first byte, or is refused, is tried again; a message that may have gone
 * out, because the process died or the connection was lost at that moment, is not, and says so.
 */
export function createSendJob({ db, inbox, clock, vault, send }: SendJobDeps): JobHandler<End> {
  async function prepare(reader: Reader, messageId: string) {
    const message = await selectMessage(reader, messageId);
    const channel = message && (await selectChannel(reader, message.channelId));
    if (!message || !channel) return undefined;
    const told = await stillToTell(reader, { inbox, clock }, channel, messageId);
    return { message, channel, told };
  }

  return {
    idempotent: true,
    leaseSeconds: LEASE_SECONDS,
    async run({ key: messageId }, signal) {
      const prepared = await db.read((reader) => prepare(reader, messageId));
      if (!prepared) return 'gone';
      const { message, channel, told } = prepared;
      if (message.state === 'sending') return 'unknown';
      if (message.state !== 'queued') return 'gone';
      if (told.length === 0) return 'withdrawn';
      let begun = false;
      const begin = async () => {
        begun = await db.write((uow) => moveMessage(uow, messageId, 'queued', 'sending'));
        if (!begun) throw new Error('another worker has begun to send it');
      };
      try {
        const address = vault.openAddress(channel.channelId, channel.sealed);
        const { origin } = message;
        const words = wordsFor(told, { content: channel.content, origin, zone: channel.zone });
        const outgoing = { messageId, address, words, things: told.length, begin };
        await send(outgoing, AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]));
        return 'sent';
      } catch (error) {
        if (begun && !isCertain(error)) return 'unknown';
        if (begun) await db.write((uow) => moveMessage(uow, messageId, 'sending', 'queued'));
        if (isFinal(error)) throw jobErrors.job_given_up({ cause: error });
        throw error;
      }
    },
    async recorded(uow, { key }, outcome) {
      const now = clock.now();
      if (outcome.state === 'done') {
        const { result } = outcome;
        if (result === 'gone') return;
        return endMessage(uow, key, result, now, result === 'unknown' ? 'outcome_unknown' : null);
      }
      const error = outcome.state === 'failed' ? outcome.error : 'outcome_unknown';
      const interrupted = await moveMessage(uow, key, 'sending', 'unknown');
      await endMessage(uow, key, interrupted ? 'unknown' : 'failed', now, error);
    },
  };
}

/** Codes of connections that were never made. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether it is certain that the message was not taken. */
export function isCertain(error: unknown): boolean {
  if (error instanceof BatonError) return error.code !== 'answer_too_large';
  return NOT_CONNECTED.has((error as NodeJS.ErrnoException).code);
}

/** Refused in a way that trying again does not mend. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof BatonError)) return false;
  if (error.code !== 'notification_refused') return error.code !== 'mail_not_set';
  const status = Number((error.details as { status?: unknown } | undefined)?.status);
  // SMTP's codes from 500 on are for good and those below 500 for now; HTTP's are the other way round.
  return status === 410 || [400, 401, 403, 404, 405, 413, 422].includes(status) || isSmtpFinal(status);
}

const isSmtpFinal = (status: number) => status >= 530 && status < 560;
