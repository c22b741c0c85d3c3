/** The request to a running server. Node's own client; `fetch` costs a fifth of a second. */

export interface Posted {
  readonly status: number;
  readonly text: string;
}

export interface PostOptions {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  readonly timeoutMillis: number;
  /** True: done as soon as the request is on its way. */
  readonly sendOnly: boolean;
}

/** Rejects if the server does not answer in time; undefined when only sent. */
export async function post({
  url,
  token,
  body,
  timeoutMillis,
  sendOnly,
}: PostOptions): Promise<Posted | undefined> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error('the server did not answer in time')),
      timeoutMillis,
    );
    outgoing.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.once('error', reject);
      answer.once('aborted', () => reject(new Error('the server broke off')));
      answer.once('end', () => {
        clearTimeout(timer);
        resolve({ status: answer.statusCode ?? 0, text });
      });
    });
    outgoing.end(body, () => {
      if (!sendOnly) return;
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
