import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireReachable } from './address-guard.ts';
import { guardedPost } from './guarded-post.ts';
import { isPublicAddress, isServiceAddress } from './public-address.ts';

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1%eth0',
    'ff02::1',
    '2002:7f00:1::',
    'localhost',
    'not an address',
  ])('%s is not the public internet', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('addresses that an operator names', () => {
  it.each(['127.0.0.1', '10.1.2.3', '192.168.1.1', '::1', 'fd12::1', '::ffff:10.0.0.1', '1.1.1.1'])(
    '%s may be a service',
    (address) => expect(isServiceAddress(address)).toBe(true),
  );

  it.each(['169.254.169.254', '::ffff:169.254.169.254', '0.0.0.0', '255.255.255.255', 'fe80::1', 'ff02::1'])(
    '%s is none',
    (address) => expect(isServiceAddress(address)).toBe(false),
  );

  it('are http(s), without a password, and not where clouds keep their metadata', () => {
    const reach = { extent: 'local' } as const;
    for (const good of ['http://127.0.0.1:1', 'https://10.0.0.1/x', 'http://name.internal'])
      expect(() => requireReachable(new URL(good), reach)).not.toThrow();
    for (const bad of ['ftp://10.0.0.1', 'http://169.254.169.254/', 'http://u:p@10.0.0.1'])
      expect(() => requireReachable(new URL(bad), reach)).toThrow();
  });
});

describe('a guarded request', () => {
  const never = new AbortController().signal;
  let server: Server;
  let port: number;
  let requests = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      response.end(request.url === '/large' ? 'x'.repeat(2_000_000) : 'ok');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('goes to the address that was checked, whatever the name says a moment later', async () => {
    const url = new URL(`http://rebind.example:${port}/x`);
    const answers = ['127.0.0.1', '192.0.2.1'];
    const resolve = async () => [{ address: answers.shift() ?? '192.0.2.1', family: 4 }];
    const allowedHosts = ['rebind.example'];
    expect((await guardedPost(url, '{}', {}, never, { resolve, allowedHosts })).status).toBe(200);
    expect(answers).toEqual(['192.0.2.1']);
  });

  it.each([[['10.0.0.1']], [['1.1.1.1', '10.0.0.1']], [[]]])(
    'is refused where a name leads to %j',
    async (found) => {
      const resolve = async () => found.map((address) => ({ address, family: 4 }));
      const before = requests;
      await expect(
        guardedPost(new URL(`http://name.example:${port}/`), '{}', {}, never, { resolve }),
      ).rejects.toMatchObject({ code: 'address_refused' });
      expect(requests).toBe(before);
    },
  );

  it('takes no more than the limit of an answer', async () => {
    const allowedHosts = [`127.0.0.1:${port}`];
    const ask = (path: string) =>
      guardedPost(new URL(`http://127.0.0.1:${port}${path}`), '{}', {}, never, { allowedHosts });
    expect(await ask('/')).toEqual({ status: 200, text: 'ok' });
    await expect(ask('/large')).rejects.toMatchObject({ code: 'answer_too_large' });
  });
});
