import { randomUUID } from 'node:crypto';
import type { Actor, World } from './world.ts';

const action = (action_id: string, name: string, description: string, risk_tier: string) => ({
  action_id,
  name,
  description,
  risk_tier,
  executor: 'echo',
  parameters_schema: { type: 'object' },
});

const MANIFEST = {
  atlas_version: '1.0',
  atlas_id: 'com.example.support-desk',
  version: '1.2.0',
  name: 'Support desk',
  description: 'What agents may do for customers, and what a person decides.',
  domains: ['support', 'payments'],
  actions: [
    action('ticket.read', 'Read a ticket', 'Reads a ticket and its history.', 'low'),
    action('ticket.reply', 'Reply to a customer', 'Sends a reply in the name of the desk.', 'low'),
    action('order.refund', 'Refund an order', 'Sends money back to the customer.', 'medium'),
    action('account.export', 'Export an account', 'Gives a customer a copy of their data.', 'high'),
    action('account.delete', 'Delete an account', 'Removes an account and its orders.', 'critical'),
  ],
  policies: [
    {
      policy_id: 'tickets-are-open',
      type: 'allow',
      name: 'Tickets are open to agents',
      actions: ['ticket.*'],
    },
    {
      policy_id: 'refunds-need-a-person',
      type: 'require_approval',
      name: 'A person approves refunds',
      actions: ['order.refund'],
      priority: 50,
    },
    { policy_id: 'refunds', type: 'allow', actions: ['order.*'], conditions: { agents: ['refund-bot'] } },
    {
      policy_id: 'exports-need-a-person',
      type: 'require_approval',
      name: 'A person approves exports',
      actions: ['account.export'],
      priority: 50,
    },
    { policy_id: 'exports', type: 'allow', actions: ['account.export'] },
    {
      policy_id: 'never-delete',
      type: 'deny',
      name: 'Nobody deletes accounts',
      actions: ['account.delete'],
      priority: 100,
      parameters: { reason: 'Accounts are closed by the back office.' },
    },
  ],
};

const REFUNDS: readonly (readonly [order: string, amount: string, reason: string])[] = [
  ['10482', '49.90', 'charged twice'],
  ['10391', '18.00', 'parcel lost'],
  ['10377', '22.50', 'parcel lost'],
  ['10401', '31.00', 'parcel lost'],
  ['10412', '480.00', 'wrong item, gone back'],
];

/** An Atlas, work that it allows, an action that it denies, and questions that wait for a person. */
export async function fillGovernance(world: World): Promise<void> {
  const project = world.project('support');
  await world.owner.ask('atlas.load', { manifest: MANIFEST, project });
  const bot = await world.agent('refund-bot', 'support');
  const run = await sessionOf(bot, 'Work through the refund queue of this morning');
  for (const ticket of ['4711', '4712', '4713']) {
    await run('ticket.read', { ticket });
    await run('ticket.reply', { ticket, text: 'We are looking into it and write again today.' });
  }
  for (const [order, amount, reason] of REFUNDS) {
    await run('order.refund', { order, amount, currency: 'EUR', reason });
  }
  const lead = await world.agent('support-lead', 'support');
  const asked = await sessionOf(lead, 'Answer a data request');
  await asked('account.export', { account: 'cus_2209', format: 'json' });
  await asked('account.delete', { account: 'cus_2209' });
}

type Execute = (action_id: string, parameters: Readonly<Record<string, unknown>>) => Promise<void>;

async function sessionOf(agent: Actor, goal: string): Promise<Execute> {
  const { session_id } = await agent.ask('carp.session.start', { agent_id: agent.id, goal });
  const request = (operation: string) => ({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    operation,
    requester: { agent_id: agent.id, session_id },
    task: { goal },
  });
  const { resolution_id } = await agent.ask('carp.resolve', { request: request('resolve') });
  return async (action_id, parameters) => {
    const execution = { resolution_id, action_id, parameters };
    // Being denied, or told to wait, is what some of these are here for.
    await agent.ask('carp.execute', { request: { ...request('execute'), execution } }).catch((error) => {
      if (!['ACTION_DENIED', 'action_denied', 'approval_required'].includes(error.code)) throw error;
    });
  };
}
