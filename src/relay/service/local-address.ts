import { BlockList, isIP } from 'node:net';
import { relayErrors } from '../errors.ts';
import type { CheckAddress } from '../ports.ts';

const refused = new BlockList();
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('0.0.0.0', 8, 'ipv4');
refused.addSubnet('224.0.0.0', 3, 'ipv4');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');

/**
 * Peers are named by whoever manages the relay and mostly run beside it, so private addresses are what they have. What
 * no agent listens on (link-local, where clouds keep their metadata; broadcast; multicast) is refused all the same.
 */
export const checkPeerAddress: CheckAddress = async (url) => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw relayErrors.peer_address_refused();
  if (family !== 0 && refused.check(host, family === 6 ? 'ipv6' : 'ipv4'))
    throw relayErrors.peer_address_refused();
};
