import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { startTestServer } from '../setup/server.ts';

interface Answer {
  readonly status: number;
  readonly closes: boolean;
}

function ask(url: string, token: string, agent: Agent, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, closes: answer.headers.connection === 'close' }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

it('a server that is told to stop under load answers everybody until they have gone elsewhere', async () => {
  const server = await startTestServer();
  const { url, ownerToken } = server;
  const problems: unknown[] = [];
  let answered = 0;
  // Each keeps its connection, and goes elsewhere once it is told to, as a proxy does.
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const answer = await ask(url, ownerToken, agent, '/v1/projects/default/packages?limit=1');
        answered += 1;
        if (answer.status !== 200) problems.push(answer.status);
        if (answer.closes) return;
      }
    } catch (error) {
      problems.push(error);
    } finally {
      agent.destroy();
    }
  };
  const clients = Array.from({ length: 8 }, client);
  await expect.poll(() => answered).toBeGreaterThan(20);
  const closed = server.close();
  await Promise.all(clients);
  await closed;
  expect(problems).toEqual([]);
});
