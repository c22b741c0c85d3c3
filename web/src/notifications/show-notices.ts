import { BatonRequestError } from '@baton-ledger/client';
import { client } from '../api/client.ts';
import { channelOfThisBrowser, forgetThisBrowser } from './browser-channel.ts';

const EVERY_MS = 10_000;

let timer: ReturnType<typeof setInterval> | undefined;

/** Shows what this browser's channel has to say, for as long as the page is open. Of several pages, one shows each thing. */
export function showNotices(): void {
  if (timer !== undefined || typeof Notification === 'undefined') return;
  timer = setInterval(() => void look(), EVERY_MS);
  void look();
}

async function look(): Promise<void> {
  const channel = channelOfThisBrowser();
  if (channel === null || Notification.permission !== 'granted') return stop();
  try {
    const { messages } = await client.call('notifications.claim', { channel_id: channel });
    for (const { message_id, subject, lines, link } of messages) {
      const shown = new Notification(subject, { body: lines.join('\n'), tag: message_id });
      shown.onclick = () => {
        window.focus();
        window.location.assign(link);
      };
    }
  } catch (error) {
    // Removed on another page. While the server is away, the next look may find it.
    if (error instanceof BatonRequestError && error.code === 'channel_not_found') {
      forgetThisBrowser();
      stop();
    }
  }
}

function stop(): void {
  clearInterval(timer);
  timer = undefined;
}
