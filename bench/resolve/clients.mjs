/**
 * Clients in a process of their own. Told `{ targets, clients, count }`, they send `count` requests, each client its next when
 * it has the answer to its last, and answer `done`. A target is `{ url, token, session, fresh }`; each client keeps to one.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });
let goals = 0;

process.on('message', async ({ targets, clients, count }) => {
  let left = count;
  const client = async (at) => {
    const target = targets[at % targets.length];
    while (left > 0) {
      left -= 1;
      await resolve(target);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  process.send('done');
});

function resolve({ url, token, session, agentId, fresh, atlas }) {
  goals += 1;
  const body = JSON.stringify({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    operation: 'resolve',
    requester: { agent_id: agentId, session_id: session },
    task: { goal: fresh ? `Do piece ${goals} of the work` : 'Do the work' },
    ...(atlas && { atlas_ids: [atlas] }),
  });
  return new Promise((done, fail) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(`${url}/v1/resolve`, { method: 'POST', agent, headers }, (got) => {
      got.resume();
      got.on('end', () => (got.statusCode === 200 ? done() : fail(new Error(`${got.statusCode}`))));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}
