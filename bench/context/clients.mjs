/**
 * Clients in a process of their own, so that the server has a core to itself. Told `{ urls, token, projects, clients, count }`,
 * they deposit `count` packages, each client sending its next when it has the answer to its last, and answer how long the
 * slowest took. Each client has one of the servers.
 */
import { Agent, request } from 'node:http';
import { packageTexts } from './package-text.mjs';

const packageText = packageTexts(`client${process.pid}`);
const agent = new Agent({ keepAlive: true });

process.on('message', async ({ urls, token, projects = ['default'], clients, count }) => {
  let left = count;
  let slowestMs = 0;
  const client = async (nth) => {
    const url = urls[nth % urls.length];
    while (left > 0) {
      left -= 1;
      const started = performance.now();
      // Every client writes to all projects in turn.
      await deposit(url, token, projects[left % projects.length]);
      slowestMs = Math.max(slowestMs, performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, nth) => client(nth)));
  process.send({ slowestMs });
});

function deposit(url, token, project) {
  const body = packageText(project);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const path = `${url}/v1/projects/${project}/packages`;
    const sent = request(path, { method: 'POST', agent, headers }, (got) => {
      const chunks = [];
      got.on('data', (chunk) => chunks.push(chunk));
      got.on('end', () =>
        got.statusCode === 201
          ? resolve()
          : reject(new Error(`${got.statusCode} ${Buffer.concat(chunks).toString().slice(0, 300)}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
