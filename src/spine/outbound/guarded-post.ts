import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { guardedLookup, type Reach, requireReachable } from './address-guard.ts';
import { outboundErrors } from './errors.ts';

export interface PostSettings extends Reach {
  readonly maxBytes?: number;
}

export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

const LARGEST_ANSWER = 1024 * 1024;

/** Posts JSON to an address that is checked. Redirects are not followed. */
export async function guardedPost(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  settings: PostSettings = {},
): Promise<PostAnswer> {
  requireReachable(url, settings);
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
        lookup: guardedLookup(url, settings),
      },
      (response) => {
        const pieces: Buffer[] = [];
        let size = 0;
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size > (settings.maxBytes ?? LARGEST_ANSWER))
            request.destroy(outboundErrors.answer_too_large());
          else pieces.push(piece);
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
