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
    {
      ...action('order.refund', 'Refund an order', 'Sends money back to the customer.', 'medium'),
      parameters_schema: {
        type: 'object',
        properties: {
          order: { type: 'string' },
          amount: { type: 'number', minimum: 0 },
          currency: { type: 'string' },
          reason: { type: 'string' },
        },
        required: ['order', 'amount', 'currency', 'reason'],
        additionalProperties: false,
      },
    },
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
      name: 'A person approves refunds above 15',
      actions: ['order.refund'],
      priority: 50,
      parameters: {
        when: { amount: { gt: 15 } },
        reason: 'A person agrees to refunds above 15.',
        expires_seconds: 14_400,
      },
    },
    {
      policy_id: 'refunds-a-day',
      type: 'budget',
      name: 'What refunds may cost a day',
      actions: ['order.refund'],
      parameters: { limit: 2500, unit: 'EUR', cost_field: 'amount', window_seconds: 86_400, scope: 'global' },
    },
    { policy_id: 'refunds', type: 'allow', actions: ['order.*'], conditions: { agents: ['refund-bot'] } },
    {
      policy_id: 'exports-need-a-person',
      type: 'require_approval',
      name: 'A person approves exports',
      actions: ['account.export'],
      priority: 50,
      parameters: { reason: 'A person agrees to what leaves the house.', expires_seconds: 2_700 },
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

type Refund = readonly [order: string, amount: number, reason: string];

/** Small ones of one kind, as they come every day: a person has approved each of them. */
const APPROVED: readonly Refund[] = Array.from({ length: 24 }, (_, n) => [
  String(10_301 + 3 * n),
  16 + ((7 * n) % 19) + 0.5 * (n % 2),
  'parcel lost',
]);

const WAITING: readonly Refund[] = [
  ['10482', 49.9, 'charged twice'],
  ['10391', 18, 'parcel lost'],
  ['10377', 22.5, 'parcel lost'],
  ['10401', 31, 'parcel lost'],
  ['10412', 480, 'wrong item, gone back'],
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
  const refund = ([order, amount, reason]: Refund) =>
    run('order.refund', { order, amount, currency: 'EUR', reason });
  await refund(['10290', 9.5, 'parcel late']);
  for (const each of APPROVED) await refund(each);
  await approveRefunds(world);
  for (const each of WAITING) await refund(each);
  const lead = await world.agent('support-lead', 'support');
  const asked = await sessionOf(lead, 'Answer a data request');
  await asked('account.export', { account: 'cus_2209', format: 'json' });
  await asked('account.delete', { account: 'cus_2209' });
}

/** Many at once, each by its own digest, as a person does it in the inbox. */
async function approveRefunds({ owner, project }: World): Promise<void> {
  const asked = { project: project('support'), kind: 'carp_approval', limit: 200 };
  const { items } = await owner.ask('inbox.list', asked);
  const decisions = items.map(({ id, digest }: { readonly id: string; readonly digest: string }) => ({
    id,
    digest,
  }));
  await owner.ask('inbox.decide_many', { decision: 'approve', decisions });
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
