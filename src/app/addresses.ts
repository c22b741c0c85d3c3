import { isIP } from 'node:net';
import type { Settings } from './settings.ts';

/** Every address by name under which a browser may find the server that listens at `url`. */
export function ownOrigins(
  url: string,
  { host, allowedHosts, behindProxy }: Pick<Settings, 'host' | 'allowedHosts' | 'behindProxy'>,
): string[] {
  const { protocol, port } = new URL(url);
  const names = ['localhost', host, ...allowedHosts]
    .map((name) => name.replace(/:\d+$/, '').toLowerCase())
    .filter((name) => name !== '' && !name.includes(':') && !name.startsWith('[') && isIP(name) === 0);
  const direct = names.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
  // What stands before us has TLS and the usual port.
  const outside = behindProxy ? names.map((name) => `https://${name}`) : [];
  return [...new Set([...direct, ...outside])];
}
