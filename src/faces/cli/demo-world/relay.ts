import type { Server } from 'node:http';
import { startAgent } from './loopback-agent.ts';
import type { Close, World } from './world.ts';

const SESSION = 'github:octo/webshop#8';

const AGENTS: readonly (readonly [name: string, reply: (said: string) => string])[] = [
  [
    'orders',
    (said) =>
      /twice/.test(said)
        ? 'Order **10482** has two captured charges: `ch_31` at 09:12:04 and `ch_32` at 09:12:06.'
        : 'Order 10482: one book, 49.90 EUR, delivered.',
  ],
  [
    'payments',
    () => '`ch_32` is the retry of a timed-out request. It can be refunded in full: **49.90 EUR**.',
  ],
  [
    'writer',
    () => 'We refund 49.90 EUR today. You paid twice because a request was repeated; sorry for that.',
  ],
];

/** Three small A2A agents on loopback, and a conversation that runs through the relay. */
export async function fillRelay(world: World): Promise<Close> {
  const operator = await world.script('relay-operator', 'support', ['relay:manage', 'relay:send']);
  const agents = await Promise.all(AGENTS.map(([name, reply]) => startAgent(name, reply)));
  const stop = () => Promise.all(agents.map(({ server }) => stopped(server)));
  try {
    for (const { name, url } of agents) await operator.ask('relay.peer.register', { id: name, url });
    await converse(world);
  } catch (error) {
    // They would keep the process alive after the server that they were for has gone.
    await stop();
    throw error;
  }
  return async () => {
    // In a store that lives on, nobody answers there any more; what was said stays.
    for (const { name } of agents) if (!world.own) await operator.ask('relay.peer.remove', { id: name });
    await stop();
  };
}

function stopped(server: Server): Promise<unknown> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return closed;
}

async function converse(world: World): Promise<void> {
  const send = async (from: string, to: string, text: string): Promise<string> => {
    const agent = await world.agent(from, 'support');
    return (await agent.ask('relay.send', { to, text, session: SESSION })).text;
  };
  const found = await send(
    'support-lead',
    'orders',
    'A customer says that they paid order 10482 twice. Is that so?',
  );
  const refundable = await send('orders', 'payments', `${found} Which one goes back?`);
  await send('orders', 'writer', `Tell the customer: ${refundable}`);
}
