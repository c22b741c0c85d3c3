/** Puts the relay between a caller and an A2A agent, and reads what was said as spans. Starts its own small agent. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@baton-ledger/client';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const baton = createClient({ url, token });

/** The smallest agent that speaks A2A 0.3: one card, and one method that answers at once. */
const agent = createServer(async (request, response) => {
  const { port } = agent.address() as AddressInfo;
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') {
    response.end(JSON.stringify(cardAt(`http://127.0.0.1:${port}/`)));
    return;
  }
  let body = '';
  for await (const piece of request) body += piece;
  const { id, params } = JSON.parse(body);
  const asked = params.message.parts[0].text;
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: reply(`You asked: ${asked}`) }));
});

function cardAt(address: string) {
  return {
    protocolVersion: '0.3.0',
    name: 'Writer',
    description: 'Repeats what it is asked',
    version: '1.0.0',
    url: address,
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}

function reply(text: string) {
  return { kind: 'message', messageId: 'm-1', role: 'agent', parts: [{ kind: 'text', text }] };
}

/** The relay answers before it stores the last span, so this asks again until that one is there. */
async function spanNames(session_id: string, last: string): Promise<string[]> {
  for (let tries = 100; tries > 0; tries -= 1) {
    const { items } = await baton.call('relay.spans', { session_id });
    const names = items.map(({ name }) => name);
    if (names.includes(last)) return names;
    await sleep(50);
  }
  throw new Error(`No span ${last} appeared.`);
}

await new Promise<void>((listening) => agent.listen(0, '127.0.0.1', listening));
try {
  const { port } = agent.address() as AddressInfo;
  await baton.call('relay.peer.register', { id: 'writer', url: `http://127.0.0.1:${port}/` });
  await baton.call('relay.send', { to: 'writer', text: 'Write a haiku', session: 'github:octo/hello#1' });

  const session_id = await baton.call('relay.session.derive', { reference: 'github:octo/hello#1' });
  const names = await spanNames(session_id, 'a2a.client.send');
  for (const name of ['a2a.task', 'a2a.relay.forward']) assert.ok(names.includes(name), name);
  console.log(`The exchange left ${names.length} spans in one session:\n  ${names.join('\n  ')}`);
} finally {
  await baton.call('relay.peer.remove', { id: 'writer' }).catch(() => undefined);
  agent.close();
}
