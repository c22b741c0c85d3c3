import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../packages/client/src/client.ts';
import type { BenchCase, Fact } from '../harness.ts';
import { playRole, startRole } from '../relay/processes.ts';

const MEGABYTES = 10;
const LENGTH = MEGABYTES * 1_000_000;

const repeated = (text: string) => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

/** What made patterns start over and over, or is merely a lot. */
const TEXTS: Readonly<Record<string, () => string>> = {
  hex: () => randomBytes(LENGTH / 2).toString('hex'),
  base64url: () => randomBytes(Math.ceil(LENGTH * 0.75)).toString('base64url'),
  'a.a.a.a': () => repeated('a.'),
  digits: () => repeated('0123456789'),
  mixed: () =>
    repeated('mail a@b.example, token: abcdef123456, 4111 1111 1111 1111, eyJhbGciOi.eyJzdWIiOi.x '),
};

async function delayBy(
  server: Awaited<ReturnType<typeof startRole>>,
  method: string,
  text: string,
): Promise<Fact[]> {
  const message = {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    contextId: 'stall',
    parts: [{ kind: 'text', text }],
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } });
  const headers = { 'content-type': 'application/json', 'x-baton-key': server.ownerToken ?? '' };
  await server.loop();
  let running = true;
  const other = (async () => {
    while (running) await (await fetch(`${server.url}/healthz`)).arrayBuffer();
  })();
  const response = await fetch(`${server.url}/a2a/mirror`, { method: 'POST', headers, body });
  const length = (await response.text()).length;
  if (length < LENGTH) throw new Error(`the answer has ${length} characters`);
  // What is made of it afterwards counts, too.
  await new Promise((resolve) => setTimeout(resolve, 500));
  running = false;
  await other;
  const { p99, max, own } = await server.loop();
  return [
    {
      name: `${method}, loop held up, p99`,
      value: p99,
      unit: 'ms',
      goal: { text: 'under 50 ms', met: p99 < 50 },
    },
    { name: `${method}, loop held up, longest`, value: max, unit: 'ms' },
    ...(own === undefined
      ? []
      : [{ name: `${method}, processor time of its longest turn`, value: own, unit: 'ms' }]),
  ];
}

export const benchCase: BenchCase = {
  name: 'relay-stall',
  title: `How long ${MEGABYTES} MB of text, there and back, hold up everybody else`,
  async prepare() {
    const bundle = fileURLToPath(import.meta.url);
    const server = await startRole(bundle, 'server');
    const mirror = await startRole(bundle, 'mirror');
    const client = createClient({ url: server.url, token: server.ownerToken ?? '' });
    await client.call('relay.peer.register', { id: 'mirror', url: mirror.url, version: '0.3' });
    const facts: Fact[] = [];
    for (const [name, text] of Object.entries(TEXTS))
      for (const method of ['message/send', 'message/stream'])
        for (const fact of await delayBy(server, method, text()))
          facts.push({ ...fact, name: `${name}, ${fact.name}` });
    return {
      facts,
      close: async () => {
        for (const one of [server, mirror]) await one.stop();
      },
    };
  },
};

await playRole();
