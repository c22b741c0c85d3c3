import { describe, expect, it } from 'vitest';
import { pageUrl } from '../kernel/page-url.ts';
import { ownOrigins } from './addresses.ts';

const settings = { host: '127.0.0.1', allowedHosts: [], behindProxy: false };

describe('addresses for people', () => {
  it.each([
    ['http://127.0.0.1:7373', 'http://localhost:7373'],
    ['https://[::1]:7373', 'https://localhost:7373'],
    ['http://127.0.0.1:7373/sign-in#x', 'http://localhost:7373/sign-in#x'],
    ['https://baton.example.org', 'https://baton.example.org'],
    ['http://127.0.0.1.example.org', 'http://127.0.0.1.example.org'],
    ['http://10.0.0.1:7373', 'http://10.0.0.1:7373'],
  ])('%s is shown as %s', (url, shown) => {
    expect(pageUrl(url)).toBe(shown);
  });
});

describe('where a browser may find the server', () => {
  it('is localhost with its own port, and nothing else, on loopback', () => {
    expect(ownOrigins('http://127.0.0.1:7373', settings)).toEqual(['http://localhost:7373']);
  });

  it('is each allowed name, never an address', () => {
    expect(
      ownOrigins('https://0.0.0.0:7373', {
        ...settings,
        host: '0.0.0.0',
        allowedHosts: ['Baton.example.org', '10.0.0.1', '[fe80::1]', '::1'],
      }),
    ).toEqual(['https://localhost:7373', 'https://baton.example.org:7373']);
  });

  it('is what a proxy in front shows', () => {
    expect(
      ownOrigins('http://0.0.0.0:7373', {
        ...settings,
        host: '0.0.0.0',
        allowedHosts: ['baton.example.org'],
        behindProxy: true,
      }),
    ).toContain('https://baton.example.org');
  });
});
