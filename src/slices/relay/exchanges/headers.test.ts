import { describe, expect, it } from 'vitest';
import { headersForCaller, headersForPeer } from './headers.ts';

describe('headers', () => {
  it('go to the peer as its caller wrote them, except ours and those of the connection', () => {
    const headers = {
      authorization: 'Bearer peers-own',
      'a2a-version': '1.0',
      'x-baton-key': 'ours',
      cookie: 'ours',
      connection: 'keep-alive, x-once',
      'x-once': '1',
      host: 'relay',
      'x-custom': 'yes',
    };
    expect(headersForPeer(headers)).toEqual({
      authorization: 'Bearer peers-own',
      'a2a-version': '1.0',
      'x-custom': 'yes',
    });
  });

  it('come back without cookies, which would be set for the relay', () => {
    const passed = headersForCaller({
      'content-type': 'application/json',
      'set-cookie': ['a=b'],
      connection: 'close',
    });
    expect(passed).toEqual({ 'content-type': 'application/json' });
  });

  it.each([
    ['application/json', false],
    ['Application/JSON; charset=utf-8', false],
    ['application/a2a+json', false],
    ['text/event-stream', false],
    ['text/html', true],
    ['text/html; application/json', true],
    ['image/svg+xml', true],
    [undefined, true],
  ])('come back as no page of ours: %s', (type, shutIn) => {
    const passed = headersForCaller({ 'content-type': type, 'content-security-policy': undefined });
    expect(passed['content-security-policy']).toBe(shutIn ? "default-src 'none'; sandbox" : undefined);
  });
});
