import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { outboundErrors } from './errors.ts';
import { isPublicAddress, isServiceAddress } from './public-address.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface Reach {
  /**
   * `public` (the default): only the public internet, for addresses that anybody may name. `local`: private and
   * loopback addresses too, for addresses that the operator names.
   */
  readonly extent?: 'public' | 'local';
  /** `host` or `host:port` that may resolve to any address. */
  readonly allowedHosts?: readonly string[];
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

/** Throws where the address itself is refused; a name is judged when it is resolved. */
export function requireReachable(url: URL, reach: Reach = {}): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusedAddress(url.host, 'has another scheme than http(s)');
  if (url.username !== '' || url.password !== '') throw refusedAddress(url.host, 'carries a password');
  // The URL parser has already turned 0x7f.1, 2130706433 and 0177.0.0.1 into dotted form.
  const host = bareHost(url);
  if (isIP(host) !== 0)
    requireAllowed(url.host, [{ address: host, family: isIP(host) }], judgeOf(url, reach));
}

/**
 * For a connection's `lookup`: the name is resolved once, every answer must be allowed, and the connection goes to
 * those very answers, so that a second look-up cannot lead elsewhere.
 */
export function guardedLookup(url: URL, reach: Reach = {}): LookupFunction {
  const judge = judgeOf(url, reach);
  const resolve = reach.resolve ?? ((name: string) => dnsLookup(name, { all: true, verbatim: true }));
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        try {
          const first = requireAllowed(host, found, judge);
          if (options.all) done(null, [...found]);
          else done(null, first.address, first.family);
        } catch (error) {
          done(error as Error, '', 0);
        }
      },
      (error) => done(error, '', 0),
    );
  };
}

/** The same for who connects by itself: the address to go to. */
export function guardedAddress(url: URL, reach: Reach = {}): Promise<ResolvedAddress> {
  requireReachable(url, reach);
  return new Promise((resolve, reject) => {
    guardedLookup(url, reach)(bareHost(url), { all: false }, (error, address, family) => {
      if (error) reject(error);
      else resolve({ address: String(address), family: family ?? 4 });
    });
  });
}

type Judge = (address: string) => boolean;

function judgeOf(url: URL, { allowedHosts = [], extent = 'public' }: Reach): Judge {
  const host = bareHost(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  if (allowedHosts.some((each) => each === host || each === `${host}:${port}`)) return () => true;
  return extent === 'public' ? isPublicAddress : isServiceAddress;
}

function requireAllowed(host: string, found: readonly ResolvedAddress[], judge: Judge): ResolvedAddress {
  const [first] = found;
  if (!first) throw refusedAddress(host, 'has no address');
  if (!found.every(({ address }) => judge(address)))
    throw refusedAddress(host, 'leads to a private or reserved address');
  return first;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refusedAddress(host: string, why: string): Error {
  return outboundErrors.address_refused({ message: `The address ${host} ${why}.`, details: { host } });
}

/** The address of a host for who speaks something else than HTTP to it. */
export function guardedHost(host: string, port: number, reach: Reach = {}): Promise<ResolvedAddress> {
  const text = `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  if (/[/\\?#@]/.test(host) || !URL.canParse(text)) throw refusedAddress(host, 'is not a host name');
  return guardedAddress(new URL(text), reach);
}
