import { useEffect } from 'react';
import { channelOfThisBrowser } from './browser-channel.ts';

/** Held by the shell: loads nothing where this browser has no channel. */
export function useBrowserNotices(): void {
  useEffect(() => {
    if (channelOfThisBrowser() === null) return;
    void import('./show-notices.ts').then(({ showNotices }) => showNotices());
  }, []);
}
