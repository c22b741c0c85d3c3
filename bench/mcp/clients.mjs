/**
 * Clients in a process of their own, so that the server has a core to itself. Told `{ url, method, headers, body, clients,
 * count }`, they ask `count` times over connections that stay open, each client when it has the answer to its last request,
 * and answer `done`. `{n}` in the body is another number each time.
 */
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
let asked = 0;

process.on('message', async ({ clients, count, ...target }) => {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await ask(target);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  process.send('done');
});

function ask({ url, method, headers, body = '' }) {
  asked += 1;
  const text = body.replaceAll('{n}', `${process.pid}.${asked}`);
  return new Promise((resolve, reject) => {
    const length = text === '' ? {} : { 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (got) => {
      let answer = '';
      got.setEncoding('utf8').on('data', (piece) => {
        answer += piece;
      });
      got.on('end', () => {
        if (got.statusCode < 300 && !answer.includes('"isError":true')) resolve();
        else reject(new Error(`${method} ${url}: ${got.statusCode} ${answer.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
