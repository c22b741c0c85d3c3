/**
 * Clients in a process of their own, so that the server has a core to itself. Told `{ url, token, clients, count }`, they
 * deposit `count` packages, each client sending its next when it has the answer to its last, and answer `done`.
 */
import { Agent, request } from 'node:http';
import { packageTexts } from './package-text.mjs';

const packageText = packageTexts(`client${process.pid}`);
const agent = new Agent({ keepAlive: true });

process.on('message', async ({ url, token, clients, count }) => {
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await deposit(url, token);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  process.send('done');
});

function deposit(url, token) {
  const body = packageText('default');
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(`${url}/v1/projects/default/packages`, { method: 'POST', agent, headers }, (got) => {
      got.resume();
      got.on('end', () => (got.statusCode === 201 ? resolve() : reject(new Error(`${got.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
