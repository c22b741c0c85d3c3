import { openText, sealText } from '../../platform/sealed-text.ts';
import { notificationErrors } from './errors.ts';

/** Where a channel leads. Sealed as a whole: the address of a webhook is its secret. */
export type Address =
  | { readonly kind: 'browser' }
  | { readonly kind: 'email'; readonly to: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'slack'; readonly url: string }
  | {
      readonly kind: 'ntfy';
      readonly url: string;
      readonly topic: string;
      readonly token: string | undefined;
    };

export interface MailLogin {
  readonly user: string;
  readonly password: string;
}

/** What is sealed of a mail server. */
export interface MailSecrets {
  readonly login: MailLogin | null;
  /** A certificate authority of its own, in PEM. */
  readonly ca: string | null;
}

/** Seals what the store keeps of addresses. A text copied to another row does not open there. */
export interface Vault {
  sealAddress(channelId: string, address: Address): string;
  openAddress(channelId: string, sealed: string): Address;
  sealMail(secrets: MailSecrets): string;
  openMail(sealed: string): MailSecrets;
}

export function createVault(key: () => Uint8Array): Vault {
  function open<T>(sealed: string, place: string): T {
    const text = openText(key(), sealed, place);
    if (text === undefined) throw notificationErrors.notify_key_unreadable();
    return JSON.parse(text) as T;
  }
  const placeOf = (channelId: string) => `notification channel\n${channelId}`;
  const MAIL = 'notification mail';
  return {
    sealAddress: (channelId, address) => sealText(key(), JSON.stringify(address), placeOf(channelId)),
    openAddress: (channelId, sealed) => open<Address>(sealed, placeOf(channelId)),
    sealMail: (secrets) => sealText(key(), JSON.stringify(secrets), MAIL),
    openMail: (sealed) => open<MailSecrets>(sealed, MAIL),
  };
}
