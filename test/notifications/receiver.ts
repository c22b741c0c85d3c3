import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Post {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Receiver {
  readonly url: string;
  readonly posts: Post[];
  /** What it answers from now on; `hang up` closes the connection instead, after it has read everything. */
  answer: number | 'hang up';
  close(): Promise<void>;
}

/** Whatever is posted to it, in order. */
export async function startReceiver(): Promise<Receiver> {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      posts.push({ path: request.url ?? '', headers: request.headers, text });
      if (receiver.answer === 'hang up') request.socket.destroy();
      else response.writeHead(receiver.answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    answer: 204,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
