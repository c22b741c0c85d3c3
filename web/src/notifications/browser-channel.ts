import { client } from '../api/client.ts';
import type { NewChannel } from './queries.ts';

/** The channel of this browser, if it has one: each has its own, so that a laptop and a phone differ. */
const KEY = 'baton.notify-channel';

export function channelOfThisBrowser(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export async function enableInThisBrowser(settings: Omit<NewChannel, 'kind'>): Promise<undefined> {
  if (typeof Notification === 'undefined') throw new Error('This browser shows no notifications.');
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('The browser does not let this page show notifications. Allow it beside the address.');
  }
  const { channel_id } = await client.call('notifications.add', { kind: 'browser', ...settings });
  localStorage.setItem(KEY, channel_id);
  const { showNotices } = await import('./show-notices.ts');
  showNotices();
}

export function forgetThisBrowser(): void {
  localStorage.removeItem(KEY);
}
