import { lookup as dnsLookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { governanceErrors } from '../errors.ts';
import { isPublicAddress } from './address-guard.ts';

export interface PostSettings {
  /** `host` or `host:port` that may be private; everything else must be public. */
  readonly allowedHosts?: readonly string[];
  readonly maxBytes?: number;
  readonly lookup?: (
    host: string,
  ) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

const LARGEST_ANSWER = 1024 * 1024;

/**
 * Posts JSON to an address that was checked: the name is resolved once, every answer must be public, and the connection
 * goes to that very answer, so that a second look-up cannot lead elsewhere. Redirects are not followed.
 */
export async function guardedPost(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  settings: PostSettings = {},
): Promise<PostAnswer> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusedAddress(url, 'has another scheme than http(s)');
  if (url.username !== '' || url.password !== '') throw refusedAddress(url, 'carries a password');
  const target = await checkedAddress(url, settings);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
        lookup: (_host, options, done) => {
          if (options.all) done(null, [target]);
          else done(null, target.address, target.family);
        },
      },
      (response) => {
        const pieces: Buffer[] = [];
        let size = 0;
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size > (settings.maxBytes ?? LARGEST_ANSWER)) {
            request.destroy(
              governanceErrors.execution_error({ message: 'The answer is larger than 1 MiB.' }),
            );
          } else pieces.push(piece);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function checkedAddress(
  url: URL,
  settings: PostSettings,
): Promise<{ address: string; family: number }> {
  // The URL parser has already turned 0x7f.1, 2130706433 and 0177.0.0.1 into dotted form.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const allowed = (settings.allowedHosts ?? []).some((each) => each === host || each === `${host}:${port}`);
  const literal = isIP(host);
  const find = settings.lookup ?? ((name: string) => dnsLookup(name, { all: true, verbatim: true }));
  const answers = literal !== 0 ? [{ address: host, family: literal }] : await find(host);
  const [first] = answers;
  if (!first) throw refusedAddress(url, 'has no address');
  if (!allowed && !answers.every(({ address }) => isPublicAddress(address))) {
    throw refusedAddress(url, 'leads to a private or reserved address');
  }
  return { address: first.address, family: first.family };
}

function refusedAddress(url: URL, why: string): Error {
  return governanceErrors.address_refused({
    message: `The executor address ${url.protocol}//${url.host} ${why}.`,
    details: { host: url.host },
  });
}
