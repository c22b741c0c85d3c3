import { expect, it } from 'vitest';
import { addressesOf, Hosts } from './hosts.ts';

it('an address may name several hosts, which are tried in turn', () => {
  expect(addressesOf('postgres://u:p@a:1,b:2/name?schema=s')).toEqual([
    'postgres://u:p@a:1/name?schema=s',
    'postgres://u:p@b:2/name?schema=s',
  ]);
  expect(addressesOf('postgres://u:p,q@a/name')).toEqual(['postgres://u:p,q@a/name']);
  const hosts = new Hosts('postgres://a,b,c/name');
  const first = hosts.current;
  hosts.turnFrom(first);
  hosts.turnFrom(first);
  expect([first, hosts.current]).toEqual(['postgres://a/name', 'postgres://b/name']);
  hosts.turnFrom(hosts.current);
  hosts.turnFrom(hosts.current);
  expect(hosts.current).toBe(first);
});
