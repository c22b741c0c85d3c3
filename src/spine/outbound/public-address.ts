import { BlockList, isIP } from 'node:net';

/** Everything that is not the public internet: loopback, private, link-local, shared, reserved, multicast, mapped. */
const refused = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  refused.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  refused.addSubnet(network, prefix, 'ipv6');
}

/** Where nothing listens that anybody means: link-local, where clouds keep their metadata; broadcast; multicast. */
const never = new BlockList();
never.addSubnet('169.254.0.0', 16, 'ipv4');
never.addSubnet('0.0.0.0', 8, 'ipv4');
never.addSubnet('224.0.0.0', 3, 'ipv4');
never.addSubnet('fe80::', 10, 'ipv6');
never.addSubnet('ff00::', 8, 'ipv6');

/** Takes an address, not a name. An IPv4 address inside an IPv6 one is judged as what it is. */
export function isPublicAddress(address: string): boolean {
  return isOutside(refused, address);
}

/** Private and loopback addresses pass; those that no service has do not. */
export function isServiceAddress(address: string): boolean {
  return isOutside(never, address);
}

function isOutside(list: BlockList, address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  const version = isIP(bare);
  if (version === 4) return !list.check(bare, 'ipv4');
  if (version !== 6) return false;
  const mapped = mappedIpv4(bare);
  return mapped === undefined ? !list.check(bare, 'ipv6') : isOutside(list, mapped);
}

function mappedIpv4(address: string): string | undefined {
  const dotted = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (dotted) return dotted[1];
  const [high, low] = /^::ffff:(?:0:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address)?.slice(1) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
