import type { Random } from '../../kernel/clock.ts';
import { inline } from '../../kernel/quoted.ts';
import { type Reach, requireReachable } from '../outbound/address-guard.ts';
import { notificationErrors } from './errors.ts';
import type { ChannelKind } from './kinds.ts';
import type { Address } from './vault.ts';

export interface GivenAddress {
  readonly kind: ChannelKind;
  readonly address?: string | undefined;
  readonly token?: string | undefined;
}

export interface ReadAddress {
  readonly address: Address;
  /** As much of it as is shown again. */
  readonly shown: string;
}

/** ASCII, without what has a meaning in SMTP or a header. */
const MAILBOX = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])$/;

export function isMailbox(text: string): boolean {
  return text.length <= 254 && MAILBOX.test(text);
}

export function readAddress(given: GivenAddress, random: Random, reach: Reach): ReadAddress {
  const { kind, address: text, token } = given;
  if (token !== undefined && kind !== 'ntfy') throw invalid('Only ntfy takes a token.', '/token');
  if (kind === 'browser') {
    if (text !== undefined) throw invalid('A browser has no address.');
    return { address: { kind }, shown: 'this browser' };
  }
  if (text === undefined) throw invalid('An address is missing.');
  if (kind === 'email') {
    if (!isMailbox(text)) throw invalid('This is no e-mail address.');
    const [name = '', domain = ''] = text.split('@');
    return { address: { kind, to: text }, shown: `${name.slice(0, 1)}…@${domain}` };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalid('This is no address of the web.');
  requireReachable(url, reach);
  const shown = inline(url.host, 100);
  switch (kind) {
    case 'webhook': {
      const secret = `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;
      return { address: { kind, url: url.href, secret }, shown };
    }
    case 'slack':
      return { address: { kind, url: url.href }, shown };
    case 'ntfy': {
      const topic = /^\/([\w-]{1,64})\/?$/.exec(url.pathname)?.[1];
      if (topic === undefined)
        throw invalid('The address of ntfy ends with the topic, as in `https://ntfy.sh/TOPIC`.');
      return { address: { kind, url: url.origin, topic, token }, shown };
    }
  }
}

function invalid(message: string, pointer = '/address'): Error {
  return notificationErrors.channel_invalid({ message, pointer });
}
