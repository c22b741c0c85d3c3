/**
 * The request to a running server, over a plain socket: to load Node's own client takes an eighth of a hook's time, and
 * `fetch` a fifth of a second. In HTTP/1.0 an answer comes in one piece and ends with the connection.
 */

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

/** Rejects if the server does not answer in time, or not wholly; undefined when only sent. */
export async function post(options: PostOptions): Promise<Posted | undefined> {
  const { body, timeoutMillis, sendOnly } = options;
  const url = new URL(options.url);
  const socket = await connected(url);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => socket.destroy(new Error('the server did not answer in time')),
      timeoutMillis,
    );
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.once('error', reject);
    socket.once('end', () => {
      const answer = readAnswer(Buffer.concat(pieces));
      if (answer) resolve(answer);
      else reject(new Error('the server broke off'));
      socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the server broke off'));
    });
    socket.write(`${headOf(url, options)}\r\n\r\n${body}`, () => {
      if (!sendOnly) return;
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

async function connected({ protocol, hostname, port }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return (await import('node:net')).connect(Number(port || 80), host);
  const [{ isIP }, { connect }] = await Promise.all([import('node:net'), import('node:tls')]);
  return connect({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) });
}

function headOf({ host, pathname, search }: URL, { token, body }: PostOptions): string {
  return [
    `POST ${pathname}${search} HTTP/1.0`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ].join('\r\n');
}

const HEAD_END = '\r\n\r\n';

/** Undefined for what is no whole answer. */
function readAnswer(bytes: Buffer): Posted | undefined {
  const end = bytes.indexOf(HEAD_END);
  const head = bytes.toString('latin1', 0, Math.max(0, end));
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const body = bytes.subarray(end + HEAD_END.length);
  if (status === undefined || (length !== undefined && body.length < Number(length))) return undefined;
  return { status: Number(status), text: body.toString('utf8', 0, Number(length ?? body.length)) };
}
